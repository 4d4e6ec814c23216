// The parts of undici that the suite uses. Its main module also loads fetch, WebSocket, caches and mocks.
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');

Object.assign(Dispatcher.prototype, require('undici/lib/api'));

module.exports = {
  Agent: require('undici/lib/dispatcher/agent.js'),
  EnvHttpProxyAgent: require('undici/lib/dispatcher/env-http-proxy-agent.js'),
  Pool: require('undici/lib/dispatcher/pool.js'),
  buildConnector: require('undici/lib/core/connect.js'),
};
