import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { Config } from '../../src/server/config/config.js'
import { configOf } from '../../src/server/config/config.js'
import { jsonFault } from '../../src/server/config/json-fault.js'
import { configSources, openConfig } from '../../src/server/config/open-config.js'
import type { ConfigError } from '../../src/server/config/setting-values.js'
import type { SettingTexts } from '../../src/server/config/settings.js'
import { SETTING_NAMES } from '../../src/server/config/settings.js'
import { Dice } from '../fixtures/dice.js'
import { runRaay } from '../fixtures/raay-command.js'

/** Reads the settings as `raay start` does. */
async function configIn(flags: SettingTexts, env: NodeJS.ProcessEnv = {}): Promise<Config> {
  return configOf((await openConfig(configSources(flags, env))).values)
}

/** Makes a data directory with a file of settings. */
function dataWith(t: Test, content: unknown, mode = 0o600): string {
  const data = t.testdir()
  const path = join(data, 'config.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(path, mode)
  return data
}

async function problemsOf(t: Test, flags: SettingTexts): Promise<readonly string[]> {
  const error = await configIn(flags).then(
    () => t.fail('the file was accepted'),
    error => error as ConfigError,
  )
  if (typeof error === 'boolean') return []
  t.equal(error.name, 'ConfigError')
  return error.problems
}

const SECRET = 'an-old-secret-of-forty-characters-in-all'

t.test('flags take precedence over variables, variables over the file, the file over defaults', async t => {
  const data = dataWith(t, { port: 1, host: '127.0.0.2', shards: 3, 'events-max': 4 })
  const { host, port, shardCount, eventsMax, connectionsMax } = await configIn(
    { data, port: '7' },
    { RAAY_PORT: '8', RAAY_HOST: '127.0.0.9', RAAY_SHARDS: '' },
  )
  t.same(
    { host, port, shardCount, eventsMax, connectionsMax },
    {
      port: 7,
      host: '127.0.0.9',
      shardCount: 3,
      eventsMax: 4,
      connectionsMax: 20_000,
    },
  )
})

t.test('a file has each kind of value as JSON has it', async t => {
  const data = dataWith(t, {
    auth: 'accounts',
    'starting-balance': 0.5,
    'access-log': true,
    'allowed-host': ['Raay.Internal', '10.0.0.7'],
    'cors-origin': 'https://a.example, https://b.example',
    'trusted-proxy': ['10.0.0.0/8'],
    'public-url': '',
  })
  const config = await configIn({ data })
  t.match(config, { startingBalance: 5000, accessLog: true, access: { mode: 'accounts' } })
  t.same(config.network.allowedHosts, ['raay.internal', '10.0.0.7'])
  t.same(config.network.corsOrigins, ['https://a.example', 'https://b.example'])
  t.equal(config.network.publicUrl, undefined, 'an empty text counts as unset')
  t.ok(config.trustedProxies?.check('10.1.1.1'))
})

t.test('no value of a file is taken for another, or left out silently', async t => {
  const wrong: readonly (readonly [unknown, ...string[]])[] = [
    [{ port: '3000' }, '"port" must be a number, without quotes'],
    [{ port: 70_000 }, '"port" is 70000: give a whole number from 0 to 65535'],
    [{ port: 1.5 }, '"port" is 1.5: give a whole number from 0 to 65535'],
    [{ port: null }, '"port" must be a number, without quotes'],
    [{ 'access-log': 'no' }, '"access-log" must be true or false, without quotes'],
    [{ 'access-log': 0 }, '"access-log" must be true or false, without quotes'],
    [{ auth: 'Accounts' }, '"auth" is Accounts: give open, accounts or jwt'],
    [{ auth: ['open'] }, '"auth" must be a text, in quotes'],
    [{ auth: '' }, '"auth" is : give open, accounts or jwt'],
    [{ 'allowed-host': ['a,b'] }, '"allowed-host" has "a,b": give one to each text of the list'],
    [{ 'allowed-host': ['a:80'] }, '"allowed-host" names a:80: give host names without a port'],
    [{ 'allowed-host': [1] }, '"allowed-host" must be a list of texts, such as ["a", "b"]'],
    [{ prot: 1 }, 'there is no setting "prot" (Did you mean "port"?)'],
    [{ 'no-upgrade-backup': true }, 'there is no setting "no-upgrade-backup"'],
    [{ access_log: true }, 'there is no setting "access_log" (Did you mean "access-log"?)'],
    [{ __proto__x: true }, 'there is no setting "__proto__x"'],
    [{ toString: 'x' }, 'there is no setting "toString"'],
    [[], 'expected an object, { … }'],
    ['null', 'expected an object, { … }'],
    [
      { 'events-max': 0, prot: 1 },
      '"events-max" is 0: give a whole number from 1 to 8999999',
      'there is no setting "prot" (Did you mean "port"?)',
    ],
    ['{"__proto__": {"port": 1}}', 'there is no setting "__proto__"'],
    ['{"port": 1,\n "port": 2}', 'line 2, column 2: "port" is there twice'],
    ['{"port": 1,\n "host": }', 'line 2, column 10: expected a value (texts stand in double quotes)'],
    ['{"port": 1,\n}', 'line 2, column 1: expected a name in double quotes'],
    ['{"port": 1', 'line 1, column 11: expected a comma or }'],
    ['{"port": 01}', 'line 1, column 10: expected a value (texts stand in double quotes)'],
    ['', 'line 1, column 1: expected a value (texts stand in double quotes)'],
    [`{}${' '.repeat(65_536)}`, 'is longer than 64 KiB'],
  ]
  for (const [content, ...expected] of wrong) {
    const data = dataWith(t, content)
    const path = join(data, 'config.json')
    const problems = (await problemsOf(t, { data })).map(text => text.slice(path.length).replace(/^:? /, ''))
    t.same(problems, expected, typeof content === 'string' ? content.slice(0, 40) : JSON.stringify(content))
  }
})

t.test('the file in the data directory cannot choose another one', async t => {
  for (const key of ['data', 'demo']) {
    const data = dataWith(t, key === 'data' ? { data: '/srv/raay' } : { demo: true })
    const [problem = ''] = await problemsOf(t, { data })
    t.match(problem, `"${key}" cannot be set here: this file is found in the data directory`)
    t.match(problem, '--config')
  }
  for (const key of ['config', 'env-file', 'demo-fresh', 'demo-remove']) {
    const file = join(dataWith(t, { [key]: key.startsWith('demo') ? true : 'x' }), 'config.json')
    t.match(await problemsOf(t, { config: file }), [/cannot be set here/], key)
  }
})

t.test('a file that is named may choose the data directory, and replaces the one in there', async t => {
  const data = dataWith(t, { port: 1, 'events-max': 5 })
  const file = join(t.testdirName, 'raay.json')
  writeFileSync(file, JSON.stringify({ data, port: 2 }))
  t.match(await configIn({ config: file }), { data, port: 2, eventsMax: 20_000 })
  t.match(await configIn({}, { RAAY_CONFIG: file }), { data, port: 2 })
  t.match(await problemsOf(t, { config: join(data, 'none.json') }), [/cannot be read: there is no such file/])
  t.match(await problemsOf(t, { config: data }), [/cannot be read: EISDIR/])
})

t.test('a demo has a file of its own, and not that of the exchange above it', async t => {
  const data = dataWith(t, { port: 1 })
  mkdirSync(join(data, 'demo'))
  t.match(await configIn({ demo: 'yes' }, { RAAY_DATA: data }), { port: 3000, data: join(data, 'demo') })
  writeFileSync(join(data, 'demo', 'config.json'), '{"port": 2}')
  t.match(await configIn({ demo: 'yes' }, { RAAY_DATA: data }), { port: 2, data: join(data, 'demo') })
})

t.test('a secret that others may read is refused, and never repeated', async t => {
  const secrets = { auth: 'jwt', 'jwt-secret': SECRET }
  for (const mode of [0o644, 0o640, 0o604, 0o660]) {
    const [problem = ''] = await problemsOf(t, { data: dataWith(t, secrets, mode) })
    t.match(problem, /holds "jwt-secret", but other users may read it \(0\d+\): chmod 600 /)
  }
  t.match(await configIn({ data: dataWith(t, secrets) }), { access: { jwt: { secrets: [SECRET] } } })
  t.match(await configIn({ data: dataWith(t, { port: 1 }, 0o644) }), { port: 1 }, 'no secret is in there')
  for (const content of [
    { 'jwt-secret': 'short-secret', auth: 'jwt' },
    { 'admin-token': 'secret secret secret' },
    { 'admin-token': 17_171_717_171_717_170_000 },
    '{"jwt-secret": "secret-with-a\nbreak"}',
  ]) {
    const problems = await problemsOf(t, { data: dataWith(t, content) })
    t.notMatch(problems.join(), /short-secret|secret secret|1717|break/)
  }
})

t.test('rules between settings name the place of the one at fault', async t => {
  const data = dataWith(t, { host: '0.0.0.0' })
  t.match(await problemsOf(t, { data }), [/config\.json: "host" is 0\.0\.0\.0: in open mode anyone/])
  t.match(await problemsOf(t, { data: t.testdir(), host: '0.0.0.0' }), [
    /^--host \(RAAY_HOST\) is 0\.0\.0\.0/,
  ])
})

t.test('variables from a file are set unless they are set already', async t => {
  const data = t.testdir({ '.env': '# a comment\nRAAY_PORT=1\nRAAY_HOST="127.0.0.2"\nRAAY_SHARDS=2\n' })
  const env = { RAAY_HOST: '127.0.0.3', RAAY_SHARDS: '' }
  const read = await configIn({ data, port: '9', 'env-file': join(data, '.env') }, env)
  t.match(read, { port: 9, host: '127.0.0.3', shardCount: 2 })
  t.same(env, { RAAY_HOST: '127.0.0.3', RAAY_SHARDS: '' }, 'the variables of the process stay as they are')
  t.match(await problemsOf(t, { data, 'env-file': join(data, 'none') }), [/--env-file .*: ENOENT/])
})

t.test('every setting has a place in a file or a reason why not', async t => {
  const file = join(dataWith(t, { [SETTING_NAMES[0] as string]: {} }), 'config.json')
  t.match(await problemsOf(t, { config: file }), [/must be a/])
  for (const name of SETTING_NAMES) {
    const [problem = ''] = await problemsOf(t, { config: join(dataWith(t, { [name]: {} }), 'config.json') })
    t.match(problem, /must be a|must be true/, name)
  }
})

t.test('a text is at fault exactly where JSON.parse refuses it', async t => {
  const dice = Dice.fromEnvironment(t)
  const signs = [...'{}[]:,"\\/ \n\t\u0001-+.eE0159truefalsnlu🙂"', '"a":', '"b":1,', '\\u00e9', '1e5']
  const whole = '{"a": [1, -0.5e3, "x\\"\\n\\u0041"], "b": {"c": null, "d": [true, false, {}]}}'
  t.equal(jsonFault(whole), undefined)
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  for (let round = 0; round < 3000; round++) {
    const at = dice.between(0, whole.length)
    const sign = signs[dice.between(0, signs.length - 1)] ?? ''
    const text = whole.slice(0, at) + sign + whole.slice(at + dice.between(0, 2))
    const fault = jsonFault(text)
    if (fault?.reason.endsWith('twice')) continue
    if ((fault === undefined) !== isJson(text)) t.fail(text, { fault })
  }
  t.equal(jsonFault('['.repeat(5000))?.reason, 'expected less nesting')
})

t.test('raay config shows every setting with its origin, and no secret', async t => {
  const data = dataWith(t, { auth: 'jwt', 'jwt-secret': SECRET, port: 5, 'events-max': 9 })
  const env = { RAAY_ADMIN_TOKEN: SECRET, RAAY_JWT_JWKS: 'https://me:hidden@id.example/keys', RAAY_PORT: '6' }
  const shown = await runRaay(['config', 'show', '--json', '--data', data, '--host', '127.0.0.2'], env)
  t.same([shown.code, shown.stderr], [0, ''])
  const { file, settings } = JSON.parse(shown.stdout)
  t.equal(file, join(data, 'config.json'))
  t.match(settings, {
    port: { value: '6', origin: 'variable' },
    host: { value: '127.0.0.2', origin: 'option' },
    'events-max': { value: '9', origin: 'file' },
    shards: { value: 'cores − 1, at least 1', origin: 'default' },
    'jwt-secret': { value: 'set', origin: 'file' },
    'admin-token': { value: 'set', origin: 'variable' },
    'jwt-secret-previous': { value: 'not set', origin: 'default' },
  })
  t.same(Object.keys(settings), SETTING_NAMES)
  const text = await runRaay(['config', 'show', '--origin', '--data', data], env)
  t.match(text.stdout, /^port +6 +variable RAAY_PORT$/m)
  t.match(text.stdout, /^events-max +9 +file .*config\.json$/m)
  for (const { stdout } of [shown, text]) t.notMatch(stdout, /an-old-secret|hidden/)
})

t.test('raay config check finds all faults at once, and changes nothing', async t => {
  const check = async (data: string, env = {}, argv: readonly string[] = []) => {
    const ended = await runRaay(['config', 'check', '--json', '--data', data, ...argv], env)
    return { code: ended.code, ...JSON.parse(ended.stdout) }
  }
  const valid = dataWith(t, { port: 1, 'jwt-issuer': 'x' })
  t.same(await check(valid, { RAAY_PORT: '2', RAAY_PROT: '3' }), {
    code: 0,
    ok: true,
    file: join(valid, 'config.json'),
    problems: [],
    warnings: [
      '"port" in the file is not used: variable --port (RAAY_PORT) wins',
      `${join(valid, 'config.json')}: "jwt-issuer" has no effect: it needs --auth jwt`,
      'RAAY_PROT is not a variable of Raay (Did you mean RAAY_PORT?)',
    ],
  })
  const broken = await check(dataWith(t, { prot: 1, port: 'x', shards: 0 }))
  t.match(broken, { code: 1, ok: false, problems: { length: 3 } })
  const flags = await check(t.testdir(), { RAAY_PORT: 'x' }, ['--shards', '0'])
  t.match(flags, { code: 1, problems: [/^--port .* is x/, /^--shards .* is 0/] })
  const between = await check(dataWith(t, { auth: 'jwt' }))
  t.match(between, { code: 1, problems: [/--jwt-secret .* is missing/] })
  const { code, stdout, stderr } = await runRaay(['config', 'chek'])
  t.same([code, stdout], [2, ''])
  t.match(stderr, /Did you mean check/)
})

t.test(
  'who may read follows the mode, and settings that contradict it or each other stop the start',
  async t => {
    const jwt = { auth: 'jwt', 'jwt-secret': SECRET }
    const accounts = { auth: 'accounts' }
    const ways: readonly (readonly [SettingTexts, boolean | RegExp])[] = [
      [{}, true],
      [{ reads: 'public' }, true],
      [{ reads: 'members' }, /^--reads \(RAAY_READS\) members needs --auth accounts or jwt/],
      [accounts, true],
      [{ ...accounts, reads: 'members' }, false],
      [{ ...accounts, reads: 'public' }, true],
      [jwt, false],
      [{ ...jwt, 'public-reads': 'yes' }, true],
      [{ ...jwt, reads: 'public' }, true],
      [{ ...jwt, reads: 'members', 'public-reads': 'no' }, false],
      [{ ...jwt, reads: 'members', 'public-reads': 'yes' }, /members contradicts .*RAAY_PUBLIC_READS\) yes/],
      [{ ...jwt, reads: 'public', 'public-reads': 'no' }, /public contradicts .*RAAY_PUBLIC_READS\) no/],
      [{ ...accounts, reads: 'members', 'public-reads': 'yes' }, /members contradicts/],
      [{ ...accounts, reads: 'Members' }, /is Members: give public or members/],
    ]
    for (const [texts, expected] of ways) {
      const name = JSON.stringify(texts)
      if (typeof expected === 'boolean') t.equal((await configIn(texts)).access.publicReads, expected, name)
      else t.match(await problemsOf(t, texts), [expected], name)
    }
  },
)

t.test('the settings of an OpenID provider need each other, and accounts mode', async t => {
  const url = 'https://id.example/realms/oaks'
  const needed = { 'oidc-issuer': url, 'oidc-client-id': 'raay', 'oidc-client-secret-file': '/run/oidc' }
  const given = { auth: 'accounts', ...needed }
  t.match(await configIn(given), {
    access: {
      hasPasswords: true,
      oidc: {
        ...{ issuer: url, clientId: 'raay', clientSecretFile: '/run/oidc', name: 'id.example' },
        ...{ scopes: 'openid profile email', allowedGroups: undefined, groupsClaim: 'groups' },
        ...{ roleClaim: undefined, roleMap: new Map(), sessionMs: 12 * 60 * 60_000 },
      },
    },
  })
  const more = { 'oidc-role-claim': 'roles', 'oidc-role-map': 'raay-ops=operator, a=b=admin' }
  const texts = { 'oidc-allowed-groups': 'club, staff', 'password-sign-in': 'off', 'oidc-name': 'Oak ID' }
  const { access } = await configIn({ ...given, ...more, ...texts, 'oidc-session-hours': '1' })
  t.equal(access.hasPasswords, false)
  t.match(access.oidc, { name: 'Oak ID', allowedGroups: ['club', 'staff'], sessionMs: 60 * 60_000 })
  t.same(
    [...(access.oidc?.roleMap ?? [])],
    [
      ['raay-ops', 'operator'],
      ['a=b', 'admin'],
    ],
  )
  t.equal((await configIn({ auth: 'accounts' })).access.oidc, undefined)
  t.ok((await configIn({ ...given, 'oidc-issuer': 'http://127.0.0.1:8080/' })).access.oidc)
  const wrong: readonly (readonly [SettingTexts, RegExp])[] = [
    [{ ...needed, auth: 'open' }, /^--oidc-issuer .* needs --auth accounts/],
    [{ ...given, 'oidc-client-id': '' }, /^--oidc-issuer .* needs --oidc-client-id/],
    [{ auth: 'accounts', 'password-sign-in': 'off' }, /^--password-sign-in .* needs --oidc-issuer and/],
    [{ ...given, 'oidc-role-claim': 'roles' }, /^--oidc-role-claim .* needs --oidc-role-map/],
    [{ ...given, 'oidc-role-map': 'a=admin' }, /^--oidc-role-map .* needs --oidc-role-claim/],
    [{ ...given, ...more, 'oidc-role-map': 'a=king' }, /a=king: give pairs such as raay-ops=operator/],
    [{ ...given, ...more, 'oidc-role-map': '=admin' }, /=admin: give pairs/],
    [{ ...given, 'oidc-issuer': 'http://id.example' }, /http:\/\/id.example: give an https address/],
    [{ ...given, 'oidc-issuer': `${url}?x=1` }, /give an https address/],
    [{ ...given, 'oidc-scopes': 'profile' }, /profile: openid must be among them/],
    [{ ...given, 'oidc-name': 'x'.repeat(41) }, /give up to 40 characters/],
    [{ ...given, 'oidc-session-hours': '0' }, /^--oidc-session-hours/],
  ]
  for (const [texts, expected] of wrong)
    t.match(await problemsOf(t, texts), [expected], JSON.stringify(texts))
})
