// Runs again with each test file, as modules of the files before may still be loaded.
import { afterAll } from 'vitest';
import { removeFolders } from './folders.ts';

afterAll(removeFolders);
