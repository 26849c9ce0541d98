// Checks through ioredis, which speaks RESP2.
import { Redis } from 'ioredis';
import { bytes, equal, ok, rejects, run, sleep, together } from './checks.mjs';

const strings = [
  ['set with options', async ({ r }) => {
    equal(await r.set('k', 'v', 'PX', 60000, 'NX'), 'OK');
    equal(await r.set('k', 'w', 'NX'), null);
    equal(await r.set('k', 'w', 'XX', 'GET', 'KEEPTTL'), 'v');
    ok(await r.pttl('k') > 59000);
    equal(await r.getex('k', 'PERSIST'), 'w');
    equal(await r.ttl('k'), -1);
    equal(await r.set('k', 'x', 'EXAT', 4102444800), 'OK');
    equal(await r.expiretime('k'), 4102444800);
    equal(await r.getdel('k'), 'x');
    equal(await r.get('k'), null);
  }],
  ['numbers', async ({ r }) => {
    equal(await r.incr('n'), 1);
    equal(await r.incrby('n', -11), -10);
    equal(await r.incrbyfloat('n', '1.25'), '-8.75');
    equal(await r.incrbyfloat('f', '3.0e3'), '3000');
    equal(await r.set('huge', '9007199254740993'), 'OK');
    equal(await r.call('INCR', 'huge'), 9007199254740994);
  }],
  ['parts of strings', async ({ r }) => {
    equal(await r.append('part', 'hello'), 5);
    equal(await r.setrange('part', 5, ' there'), 11);
    equal(await r.getrange('part', -5, -1), 'there');
    equal(await r.strlen('part'), 11);
    equal(await r.lcs('part', 'part', 'LEN'), 11);
  }],
  ['many keys: array, object, Map', async ({ r }) => {
    equal(await r.mset({ 'm:1': 'a', 'm:2': 'b' }), 'OK');
    equal(await r.mset(new Map([['m:3', 'c']])), 'OK');
    equal(await r.mget('m:1', 'm:2', 'm:3', 'm:4'), ['a', 'b', 'c', null]);
    equal(await r.msetnx('m:4', 'd', 'm:1', 'e'), 0);
    equal(await r.del(['m:1', 'm:2', 'm:3', 'm:4']), 3);
  }],
  ['bytes of every value', async ({ r }) => {
    equal(await r.set(bytes, bytes), 'OK');
    equal(Buffer.compare(await r.getBuffer(bytes), bytes), 0);
    equal(await r.exists(bytes), 1);
    equal(await r.set('snow ☃', 'man ☃'), 'OK');
    equal(await r.get('snow ☃'), 'man ☃');
    equal(await r.strlen('snow ☃'), 7);
  }],
  ['values of 1 MB and 20 MB', async ({ r }) => {
    for (const size of [1 << 20, 20 << 20]) {
      const big = Buffer.alloc(size, 'abcdefg');
      equal(await r.set('big', big), 'OK');
      equal(Buffer.compare(await r.getBuffer('big'), big), 0);
      equal(await r.unlink('big'), 1);
    }
  }],
];

const keys = [
  ['expiry', async ({ r }) => {
    await r.set('e', 1);
    equal(await r.expire('e', 100, 'NX'), 1);
    equal(await r.expire('e', 50, 'GT'), 0);
    equal(await r.pexpire('e', 40), 1);
    await sleep(80);
    equal(await r.exists('e'), 0);
    await r.set('e', 1);
    equal(await r.expireat('e', 1), 1);
    equal(await r.get('e'), null);
  }],
  ['rename, copy, type, object', async ({ r }) => {
    await r.set('a', '17');
    equal(await r.rename('a', 'b'), 'OK');
    equal(await r.copy('b', 'c'), 1);
    equal(await r.type('c'), 'string');
    equal(await r.object('ENCODING', 'c'), 'int');
    equal(await r.touch('a', 'b', 'c'), 2);
    await rejects(r.rename('a', 'd'), /ERR no such key$/);
  }],
  ['scan streams', async ({ r }) => {
    const p = r.pipeline();
    for (let i = 0; i < 500; i++) p.set(`scan:${i}`, i);
    await p.exec();
    const seen = new Set();
    for await (const names of r.scanStream({ match: 'scan:*', count: 17 })) names.forEach(name => seen.add(name));
    equal(seen.size, 500);
    const buffers = [];
    for await (const names of r.scanBufferStream({ match: 'scan:49?', type: 'string' })) buffers.push(...names);
    equal(new Set(buffers.map(String)).size, 10);
  }],
  ['database, key prefix and name at connect', async ({ r, open }) => {
    const c = open({ db: 5, keyPrefix: 'pre:', connectionName: 'io-name' });
    await c.flushdb();
    equal(await c.set('x', 1), 'OK');
    equal(await c.client('GETNAME'), 'io-name');
    equal(await c.keys('*'), ['pre:x']);
    equal(await r.exists('pre:x'), 0);
    ok(/ db=5 /.test(await c.client('INFO')));
  }],
];

const transactions = [
  ['pipeline with an error inside', async ({ r }) => {
    const replies = await r.pipeline().set('p', 'x').incr('p').get('p').call('NOSUCH').exec();
    equal(replies[0], [null, 'OK']);
    equal(replies[1][0].message, 'ERR value is not an integer or out of range');
    equal(replies[2], [null, 'x']);
    ok(/^ERR unknown command 'NOSUCH'/.test(replies[3][0].message));
  }],
  ['pipeline of 10000', async ({ r }) => {
    const p = r.pipeline();
    for (let i = 0; i < 10000; i++) p.incr(`pl:${i % 7}`);
    const replies = await p.exec();
    ok(replies.every(([err, n], i) => err === null && n === Math.floor(i / 7) + 1));
  }],
  ['automatic pipelines', async ({ open }) => {
    const c = open({ enableAutoPipelining: true });
    const replies = await together(1000, i => c.set(`auto:${i}`, i));
    ok(replies.every(reply => reply === 'OK'));
    equal(await together(1000, i => c.get(`auto:${i}`)).then(all => all.every((v, i) => v === String(i))), true);
  }],
  ['multi in one go', async ({ r }) => {
    equal(await r.multi().set('t', 1).incr('t').mget('t', 'u').exec(), [[null, 'OK'], [null, 2], [null, ['2', null]]]);
    equal(await r.multi([['set', 't', 'x'], ['get', 't']]).exec(), [[null, 'OK'], [null, 'x']]);
  }],
  ['multi step by step', async ({ open }) => {
    const c = open();
    equal(await c.multi({ pipeline: false }), 'OK');
    equal(await c.set('step', 1), 'QUEUED');
    equal(await c.exec(), [[null, 'OK']]);
    await c.multi({ pipeline: false });
    equal(await c.discard(), 'OK');
  }],
  ['aborted multi', async ({ r }) => {
    await rejects(r.multi().set('ab', 1).call('GET').exec(), /EXECABORT Transaction discarded because of previous errors/);
    equal(await r.exists('ab'), 0);
  }],
  ['watch', async ({ r, open }) => {
    const c = open();
    await c.set('w', 1);
    await c.watch('w', 'w2');
    await r.set('w2', 2);
    equal(await c.multi().set('w', 3).exec(), null);
    await c.watch('w');
    await c.unwatch();
    await r.set('w', 5);
    equal(await c.multi().get('w').exec(), [[null, '5']]);
  }],
  ['lock', async ({ open }) => {
    await together(4, async worker => {
      const c = open();
      for (let i = 0; i < 10; i++) {
        while (await c.set('lock', worker, 'PX', 10000, 'NX') !== 'OK') await sleep(1);
        await c.set('counter', Number(await c.get('counter')) + 1);
        await c.watch('lock');
        equal(await c.get('lock'), String(worker));
        equal(await c.multi().del('lock').exec(), [[null, 1]]);
      }
    });
    equal(await open().get('counter'), '40');
  }],
];

const connections = [
  ['goes on after CLIENT KILL', async ({ r, open }) => {
    const c = open({ db: 2, connectionName: 'victim' });
    await c.set('kill', 1);
    const id = await c.client('ID');
    equal(await r.client('KILL', 'ID', id), 1);
    equal(await c.get('kill'), '1');
    ok(await c.client('ID') > id);
    equal(await c.client('GETNAME'), 'victim');
  }],
  ['200 connections', async ({ open }) => {
    const all = await together(200, async i => { const c = open(); equal(await c.set(`conn:${i}`, i), 'OK'); return c; });
    await Promise.all(all.map(async (c, i) => equal(await c.get(`conn:${(i + 1) % 200}`), String((i + 1) % 200))));
    all.forEach(c => c.disconnect());
  }],
  ['password', async ({ r, open }) => {
    await r.config('SET', 'requirepass', 'pass');
    try {
      const c = open({ password: 'pass' });
      equal(await c.ping(), 'PONG');
      equal(await open({ username: 'default', password: 'pass' }).ping(), 'PONG');
      await rejects(open({ enableReadyCheck: false }).get('x'), /^ReplyError: NOAUTH Authentication required/);
      await rejects(c.auth('wrong'), /WRONGPASS/);
    } finally {
      await r.config('SET', 'requirepass', '');
    }
  }],
  ['quit', async ({ open }) => {
    const c = open();
    equal(await c.quit(), 'OK');
    await rejects(c.get('x'), /Connection is closed/);
  }],
  ['monitor', async ({ r, open }) => {
    const c = open();
    await c.ping();
    const m = await c.monitor();
    const seen = new Promise(done => m.on('monitor', (time, args) => args[1] === 'monitored' && done(args)));
    await r.set('monitored', 'a "b"');
    const args = await seen;
    equal([args[0].toLowerCase(), ...args.slice(1)], ['set', 'monitored', 'a "b"']);
    m.disconnect();
  }],
];

const server = [
  ['errors', async ({ r }) => {
    await r.set('str', 'a');
    await rejects(r.incr('str'), /ReplyError: ERR value is not an integer or out of range$/);
    await rejects(r.call('NOPE', 'x'), /ERR unknown command 'NOPE', with args beginning with: 'x'/);
    await rejects(r.call('SET', 'k'), /ERR wrong number of arguments for 'set' command/);
    await rejects(r.set('k', 'v', 'EX', -1), /ERR invalid expire time in 'set' command/);
    await rejects(r.select(99), /ERR DB index is out of range/);
  }],
  ['INFO, CONFIG, COMMAND, SLOWLOG, TIME', async ({ r }) => {
    ok(/redis_version:\d+\./.test(await r.info('server')));
    ok(/db0:keys=\d+,expires=\d+/.test(await r.info()));
    equal(await r.config('GET', 'maxmemory'), ['maxmemory', '0']);
    const commands = await r.command();
    ok(commands.length === await r.command('COUNT') && commands.some(([name, arity]) => name === 'get' && arity === 2));
    equal(await r.command('GETKEYS', 'MSET', 'a', 1, 'b', 2), ['a', 'b']);
    ok(Array.isArray(await r.slowlog('GET', 3)));
    ok(Math.abs((await r.time())[0] - Date.now() / 1000) < 5);
    equal(await r.echo('hi'), 'hi');
  }],
];

// runIoredis runs all checks against a server.
export async function runIoredis(host, port) {
  const all = [];
  const open = options => {
    const c = new Redis({ host, port, maxRetriesPerRequest: 2, retryStrategy: n => n > 3 ? null : 50, ...options });
    c.on('error', () => {}); // commands tell
    all.push(c);
    return c;
  };
  const r = open();
  await r.flushall().catch(() => {});
  const rows = [...strings, ...keys, ...transactions, ...connections, ...server];
  const score = await run('ioredis', rows, { r, open });
  all.forEach(c => c.disconnect());
  return score;
}
