export { VirtualClock } from '../conformance/engine/send/virtual-clock.js';
