import type { Fields } from '../../engine/outcome/read.js';
import { asText } from '../../engine/rule/values.js';

/** The suite gives such names to all items that it adds. */
const own = /^conformance-/i;
export const isItemOfSuite = ({ name }: Fields): boolean => own.test(asText(name));
