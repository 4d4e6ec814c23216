import type { Command } from 'commander';
import type { Context } from '../program.js';
export function addInit(_program: Command, _context: Context): void {}
