// What a careful user of Dredd writes: the request that each documented answer belongs to.
const { beforeEach } = require('hooks');
const { workflows, restrictedKey } = JSON.parse(process.env.BENCH_DREDD);
const id = /[0-9a-f]{8}-[0-9a-f-]{27}/;

beforeEach((transaction, done) => {
  const { request } = transaction;
  const status = Number(transaction.expected.statusCode);
  const keyHeaders = Object.keys(request.headers).filter((name) => /api-key$/i.test(name));
  if (status === 400) transaction.fullPath = transaction.fullPath.replace(id, 'no-uuid');
  if (status === 401) for (const name of keyHeaders) delete request.headers[name];
  if (status === 403) for (const name of keyHeaders) request.headers[name] = restrictedKey;
  if (status === 404) transaction.fullPath = transaction.fullPath.replace(id, '99999999-0000-4000-8000-000000000000');
  if (status === 500) transaction.skip = true;
  if (status === 202 && transaction.fullPath.endsWith('/sync'))
    transaction.fullPath = transaction.fullPath.replace(id, workflows.slow);
  done();
});
