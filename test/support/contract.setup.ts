import './made-up.js';
