#!/usr/bin/env node
// `node src/bin/node.js [options] script [arguments]`: runs the script with Node 24 or later.
import { launch } from './launcher.js';

launch(process.argv.slice(2));
