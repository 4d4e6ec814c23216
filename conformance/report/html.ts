import type { Report } from '../vocabulary.js';

export const html = (report: Report): string => report.verdict;
