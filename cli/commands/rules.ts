import type { Command } from 'commander';
import type { Context } from '../program.js';
export function addRules(_program: Command, _context: Context): void {}
