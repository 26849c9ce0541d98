#!/usr/bin/python3
"""Drives a server through redis-py: smoke.py HOST:PORT

Prints each failed check and 'N passed, N failed'. The server's keys are lost.
It needs redis-py 4.3 or newer, as distributions package it.
"""
import datetime
import sys
import threading
import time
import traceback

import redis
from redis.exceptions import (AuthenticationError, ConnectionError, ExecAbortError,
                              ResponseError, WatchError)

HOST, PORT = (sys.argv[1] if len(sys.argv) > 1 else '127.0.0.1:6379').split(':')
CHECKS = []


def client(**options):
    """Opens a further client."""
    options.setdefault('decode_responses', True)
    return redis.Redis(host=HOST, port=int(PORT), socket_timeout=15, **options)


def check(function):
    """Adds a function to the checks; its docstring is the check's name."""
    CHECKS.append(function)
    return function


def equal(got, wanted):
    assert got == wanted, 'got %.200r, want %.200r' % (got, wanted)


def fails(kind, text, function, *args, **options):
    """Expects an exception of a kind whose text contains text."""
    try:
        got = function(*args, **options)
    except kind as error:
        assert text in str(error), 'the error is %r' % str(error)
        return
    raise AssertionError('no error but %.200r' % (got,))


def together(count, work):
    """Runs work(i) in threads, and raises what one of them raised."""
    errors = []

    def guarded(i):
        try:
            work(i)
        except BaseException as error:  # handed to the main thread
            errors.append(error)
    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@check
def set_options(r):
    """set with options"""
    equal(r.set('a', 'x', ex=10, nx=True), True)
    equal(r.set('a', 'y', nx=True), None)
    equal(r.set('a', 'y', xx=True, get=True, keepttl=True), 'x')
    assert 0 < r.ttl('a') <= 10
    equal(r.getex('a', persist=True), 'y')
    equal((r.ttl('a'), r.ttl('none')), (-1, -2))
    equal(r.set('a', 1, px=datetime.timedelta(seconds=5)), True)
    assert 4000 < r.pttl('a') <= 5000
    at = int(time.time()) + 50
    equal(r.set('a', 1, exat=at), True)
    assert 48 <= r.ttl('a') <= 50
    equal(r.getdel('a'), '1')
    equal(r.get('a'), None)
    fails(ResponseError, "invalid expire time in 'set' command", r.set, 'a', 1, ex=0)


@check
def parts(r):
    """append, ranges, several keys"""
    equal(r.append('p', 'abc'), 3)
    equal(r.setrange('p', 5, 'q'), 6)
    equal(r.get('p'), 'abc\0\0q')
    equal(r.getrange('p', 1, -3), 'bc\0')
    equal(r.strlen('p'), 6)
    equal(r.mset({'m1': 1, 'm2': 2.5}), True)
    equal(r.mget('m1', 'm2', 'm3'), ['1', '2.5', None])
    equal(r.msetnx({'m3': 1, 'm1': 2}), False)
    equal(r.getset('m1', 'x'), '1')
    equal(r.delete('m1', 'm2', 'm3'), 2)


@check
def numbers(r):
    """integers and floats"""
    equal((r.incr('n'), r.incrby('n', 9), r.decr('n', 3)), (1, 10, 7))
    equal((r.incrbyfloat('f', 0.1), r.incrbyfloat('f', 0.2)), (0.1, 0.3))
    equal(r.get('f'), '0.3')
    r.set('n', 2**63 - 1)
    fails(ResponseError, 'increment or decrement would overflow', r.incr, 'n')
    r.set('n', 'x')
    fails(ResponseError, 'value is not an integer or out of range', r.incr, 'n')
    fails(ResponseError, 'value is not a valid float', r.incrbyfloat, 'n', 1)


@check
def binary(r):
    """bytes of every value, other encodings, big values"""
    raw = client(decode_responses=False)
    every = bytes(range(256)) + b'\r\n'
    equal(raw.set(every, every), True)
    equal(raw.get(every), every)
    equal(r.set('\u2603', '\u00fc\u2603'), True)
    equal(r.get('\u2603'), '\u00fc\u2603')
    latin = client(encoding='latin-1')
    latin.set('latin', '\u00fc')
    equal(raw.get('latin'), b'\xfc')
    for size in (1 << 20, 20 << 20):
        value = every * (size // len(every))
        equal(raw.set('big', value), True)
        assert raw.get('big') == value, 'the big value came back as another'
    equal(r.unlink('big'), 1)


@check
def key_commands(r):
    """rename, copy, type, object, touch"""
    r.set('k', 'v', ex=100)
    equal(r.rename('k', 'k2'), True)
    assert r.ttl('k2') > 98
    equal(r.renamenx('k2', 'k3'), True)
    equal(r.copy('k3', 'k4'), True)
    equal(r.copy('k3', 'k4'), False)
    equal(r.copy('k3', 'k5', destination_db=3), True)
    equal(r.exists('k3', 'k4', 'k4', 'k5'), 3)
    equal(r.touch('k3', 'k4', 'none'), 2)
    equal((r.type('k3'), r.type('none')), ('string', 'none'))
    equal((r.object('encoding', 'k3'), r.object('idletime', 'k3')), ('embstr', 0))
    equal(r.object('encoding', 'none'), None)
    equal(client(db=3).delete('k5'), 1)
    equal(r.move('k3', 3), True)
    equal(r.swapdb(3, 4), True)
    equal((client(db=4).get('k3'), client(db=4).randomkey(), client(db=3).randomkey()), ('v', 'k3', None))
    fails(ResponseError, 'no such key', r.rename, 'none', 'x')


@check
def expiry(r):
    """expiry"""
    r.set('e', 1)
    equal(r.expire('e', 100, nx=True), True)
    equal(r.expire('e', 50, gt=True), False)
    equal(r.expire('e', datetime.timedelta(seconds=50), lt=True), True)
    at = datetime.datetime.now() + datetime.timedelta(hours=1)
    equal(r.expireat('e', at), True)
    assert abs(r.execute_command('EXPIRETIME', 'e') - at.timestamp()) < 2
    equal(r.persist('e'), True)
    equal(r.pexpire('e', 50), True)
    time.sleep(0.1)
    equal(r.exists('e'), 0)
    equal(r.psetex('e', 50, 'v'), True)
    equal(r.setex('e2', 100, 'v'), True)
    time.sleep(0.1)
    equal((r.get('e'), r.get('e2')), (None, 'v'))


@check
def scans(r):
    """scan and keys"""
    with r.pipeline(transaction=False) as p:
        for i in range(1000):
            p.set('scan:%d' % i, i)
        p.execute()
    for count in (3, 100, 10000):
        equal(len(set(r.scan_iter('scan:*', count=count))), 1000)
    equal(list(r.scan_iter('scan:*', _type='list')), [])
    equal(sorted(r.keys('scan:99?')), ['scan:99%d' % i for i in range(10)])
    cursor, names = r.scan(0, 'scan:1', 100000)
    while cursor:
        cursor, more = r.scan(cursor, 'scan:1', 100000)
        names += more
    equal(names, ['scan:1'])


@check
def pipelines(r):
    """pipelines, with and without MULTI"""
    for transaction in (False, True):
        r.delete('pl')
        p = r.pipeline(transaction=transaction)
        for _ in range(5000):
            p.incr('pl')
        equal(p.execute(), list(range(1, 5001)))
        p.set('pl', 'x').incr('pl').get('pl')
        results = p.execute(raise_on_error=False)
        equal((results[0], results[2]), (True, 'x'))
        assert isinstance(results[1], ResponseError), results[1]
        p.set('pl', 'y').incr('pl')
        fails(ResponseError, 'of pipeline caused error: value is not an integer', p.execute)


@check
def watching(r):
    """WATCH, MULTI, EXEC"""
    r.set('w', 1)
    with client().pipeline() as p:
        p.watch('w', 'w2')
        value = int(p.get('w'))
        r.set('w2', 9)
        p.multi()
        p.set('w', value + 1)
        fails(WatchError, '', p.execute)
        p.watch('w')
        p.unwatch()
        r.set('w', 7)
    equal(r.get('w'), '7')
    equal(r.transaction(lambda p: (p.multi(), p.incr('w'), p.get('w')), 'w'), [8, '8'])

    def increment(p):
        value = int(p.get('w'))
        p.multi()
        p.set('w', value + 1)
    together(6, lambda i: [client().transaction(increment, 'w') for _ in range(10)])
    equal(r.get('w'), '68')
    with r.pipeline() as p:
        p.set('ab', 1)
        p.execute_command('GET')
        fails((ExecAbortError, ResponseError), '', p.execute)
    equal(r.exists('ab'), 0)


@check
def lock(r):
    """a lock without scripts"""
    def release(c, token):
        def body(p):
            mine = p.get('lock') == token
            p.multi()
            if mine:
                p.delete('lock')
        return c.transaction(body, 'lock') == [1]

    def work(i):
        c, token = client(), 'worker %d' % i
        for _ in range(15):
            while not c.set('lock', token, nx=True, px=10000):
                time.sleep(0.001)
            c.set('counter', int(c.get('counter') or 0) + 1)
            assert release(c, token), 'the lock was lost'
    together(4, work)
    equal(r.get('counter'), '60')
    r.set('lock', 'theirs')
    equal(release(r, 'mine'), False)


@check
def clients(r):
    """CLIENT, and going on after CLIENT KILL"""
    c = client(max_connections=1, client_name='py-name', db=2)
    number = c.client_id()
    equal(c.client_getname(), 'py-name')
    listed = [row for row in r.client_list() if row['id'] == str(number)]
    equal([(row['name'], row['db']) for row in listed], [('py-name', '2')])
    equal(c.client_info()['id'], number)
    equal(r.client_kill_filter(_id=number), 1)
    equal(c.set('after', 1), True)
    assert c.client_id() > number
    equal(c.client_getname(), 'py-name')
    equal(r.client_pause(50, all=False), True)
    equal(r.set('after', 2), True)
    equal(r.client_no_evict('ON'), 'OK')
    fails(ResponseError, 'No such client', r.client_kill, '1.2.3.4:5')


@check
def passwords(r):
    """AUTH"""
    inside = client(single_connection_client=True)
    inside.config_set('requirepass', 'secret')
    try:
        equal(client(password='secret').ping(), True)
        equal(client(username='default', password='secret').ping(), True)
        fails(AuthenticationError, '', client().get, 'x')
        for login in ({'username': 'x', 'password': 'secret'}, {'password': 'wrong'}):
            fails((AuthenticationError, ResponseError), 'invalid username-password pair', client(**login).ping)
    finally:
        inside.config_set('requirepass', '')
    equal(r.ping(), True)


@check
def connections(r):
    """300 connections, in threads and pools"""
    many = [client(single_connection_client=True) for _ in range(300)]
    for i, c in enumerate(many):
        c.set('conn:%d' % i, i)
    assert r.info('clients')['connected_clients'] >= 300
    for i, c in enumerate(many):
        equal(c.get('conn:%d' % ((i + 1) % 300)), str((i + 1) % 300))
        c.close()
    together(20, lambda i: [r.incr('threads') for _ in range(50)])
    equal(r.get('threads'), '1000')
    small = client(max_connections=1)
    taken = small.connection_pool.get_connection('GET')
    fails(ConnectionError, 'Too many connections', small.get, 'x')
    small.connection_pool.release(taken)


@check
def server(r):
    """INFO, CONFIG, COMMAND, SLOWLOG, MEMORY, TIME"""
    info = r.info()
    for name in ('redis_version', 'used_memory', 'connected_clients', 'role', 'total_commands_processed', 'keyspace_hits',
                 'expired_keys', 'evicted_keys', 'uptime_in_seconds', 'maxmemory_policy', 'rdb_last_save_time', 'aof_enabled'):
        assert name in info, 'INFO has no ' + name
    equal(info['db0']['keys'], r.dbsize())
    assert r.info('commandstats')['cmdstat_set']['calls'] > 0
    assert 'maxmemory-policy' in r.config_get('*memory*')
    r.config_set('slowlog-log-slower-than', 0)
    r.get('slow')
    r.config_set('slowlog-log-slower-than', 10000)
    assert any(b'slow' in entry['command'] for entry in client(decode_responses=False).slowlog_get(20))
    assert r.slowlog_len() > 0 and r.slowlog_reset()
    fails(ResponseError, 'Unknown option', r.config_set, 'no-such-setting', 1)
    equal(r.config_resetstat(), True)
    equal(r.command()['get']['arity'], 2)
    equal(r.command_getkeys('MSET', 'a', 1, 'b', 2), ['a', 'b'])
    equal(r.command_count(), len(r.command()))
    r.set('mem', 'x' * 1000)
    assert 1000 <= r.memory_usage('mem') < 3000
    assert abs(r.time()[0] - time.time()) < 5
    equal((r.echo('x'), r.ping(), r.acl_whoami(), r.role()[0]), ('x', True, 'default', 'master'))


@check
def errors(r):
    """errors that redis-py tells apart"""
    fails(ResponseError, "unknown command 'NOSUCH', with args beginning with: 'a'", r.execute_command, 'NOSUCH', 'a')
    fails(ResponseError, "wrong number of arguments for 'get' command", r.execute_command, 'GET')
    fails(ResponseError, 'syntax error', r.execute_command, 'SET', 'a', 'b', 'BAD')
    fails(ResponseError, 'DB index is out of range', r.execute_command, 'SELECT', 99)
    fails(ResponseError, 'EXEC without MULTI', r.execute_command, 'EXEC')
    r.config_set('maxmemory-policy', 'noeviction')
    r.config_set('maxmemory', 1)
    try:
        fails(ResponseError, "command not allowed when used memory > 'maxmemory'", r.set, 'oom', 'x' * 1000)
        equal(r.get('none'), None)
    finally:
        r.config_set('maxmemory', 0)
    equal(r.set('oom', 'x' * 1000), True)


@check
def monitored(r):
    """MONITOR"""
    with client().monitor() as m:
        r.set('monitored', 'a b"c')
        for seen in m.listen():
            if 'monitored' in seen['command']:
                equal(seen['command'].lower(), 'set monitored a b"c')
                equal(seen['db'], 0)
                break


@check
def emptied(r):
    """FLUSHDB and FLUSHALL"""
    other = client(db=5)
    other.set('x', 1)
    equal(r.flushdb(asynchronous=True), True)
    equal((r.dbsize(), other.dbsize()), (0, 1))
    equal(r.flushall(), True)
    equal(other.dbsize(), 0)


def where(error):
    """The line of this file that an error comes from."""
    lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == __file__]
    return 'line %d: %.120s' % (lines[-1].lineno, lines[-1].line) if lines else 'no line'


def main():
    """Runs all checks and returns the exit status."""
    r = client()
    passed = failed = 0
    try:
        r.flushall()
        for function in CHECKS:
            try:
                function(r)
                passed += 1
            except Exception as error:
                failed += 1
                print('FAIL %s: %s: %.300s (%s)' % (function.__doc__, type(error).__name__, error, where(error)))
                r.ping()  # without a server the others have no use
    except ConnectionError as error:
        failed += 1
        print('FAIL the server is gone:', error)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
