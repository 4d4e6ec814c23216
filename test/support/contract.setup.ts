import '../../conformance/suite/contract.js';
