import type { Fields } from '../../engine/outcome/read.js';
import { asText } from '../../engine/rule/values.js';

/** By their names: the suite gives them to what it adds. */
const own = /^conformance-/i;
export const isOwn = ({ name }: Fields): boolean => own.test(asText(name));
