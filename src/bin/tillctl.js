#!/usr/bin/env node
import { launchProgram } from './launcher.js';

launchProgram('src/cli/tillctl.ts', []);
