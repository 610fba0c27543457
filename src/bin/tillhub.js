#!/usr/bin/env node
import { launchProgram } from './launcher.js';

launchProgram('src/hub/main.ts', []);
