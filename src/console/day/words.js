import { catalogue } from '../words/catalogue.js';
import { de } from './words/de.js';
import { en } from './words/en.js';
import { fr } from './words/fr.js';

export const t = catalogue({ en, de, fr });
