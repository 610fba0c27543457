#!/usr/bin/env node
import { launchProgram } from './launcher.js';

// A small young generation: a till shares its machine with the shop's other programs.
launchProgram('src/main.ts', ['--max-semi-space-size=1']);
