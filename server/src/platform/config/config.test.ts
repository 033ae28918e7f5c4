import { createECDH, type ECDH } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

// A key that begins with zeros comes without them.
const privateOf = (pair: ECDH) =>
  Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')

const messageOf = (env: Record<string, string>): string => {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'accepted'
}

describe('defaults', () => {
  test('nothing set: one port, the embedded database, broker on 1883, loopback metrics, no tiles from the internet', () => {
    expect(loadConfig({})).toMatchObject({
      port: 8080,
      host: '0.0.0.0',
      trustProxy: false,
      publicUrl: 'http://localhost:8080',
      databaseUrl: undefined,
      mqttPort: 1883,
      metricsPort: 9464,
      ingest: { maxAgeMonths: 24, maxAheadHours: 24 },
      tileSources: [],
    })
  })

  test('an empty variable counts as unset', () => {
    expect(loadConfig({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ port: 8080, smtpUrl: undefined })
  })

  test('the public address follows the port, and the sender follows the public address', () => {
    expect(loadConfig({ PORT: '9000' }).publicUrl).toBe('http://localhost:9000')
    expect(loadConfig({ PUBLIC_URL: 'https://cold.example/' })).toMatchObject({
      publicUrl: 'https://cold.example',
      mailFrom: 'Isotherm <isotherm@cold.example>',
    })
  })
})

describe('values', () => {
  test.each([
    ['1', 1],
    ['127.0.0.1', ['127.0.0.1']],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['loopback', ['loopback']],
  ])('TRUST_PROXY=%s is understood', (text, expected) => {
    expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toEqual(expected)
  })

  test('metrics and the broker can be turned off', () => {
    expect(loadConfig({ METRICS_PORT: 'off', MQTT_PORT: 'off' })).toMatchObject({ metricsPort: null, mqttPort: null })
    expect(loadConfig({})).toMatchObject({ metricsHost: '127.0.0.1', metricsToken: null })
    expect(() => loadConfig({ METRICS_HOST: '0.0.0.0' })).toThrow('METRICS_TOKEN must be set with METRICS_HOST=0.0.0.0')
    const METRICS_TOKEN = 'a-token-of-twenty-characters'
    expect(loadConfig({ METRICS_HOST: '0.0.0.0', METRICS_TOKEN })).toMatchObject({ metricsToken: METRICS_TOKEN })
  })

  test('a rate limit is tries per account, per address, seconds', () => {
    expect(loadConfig({ RATE_LIMIT_LOGIN: '3/9/60' }).rateLimits.login).toEqual({
      perAccount: 3,
      perAddress: 9,
      windowS: 60,
    })
  })

  test('a quota has a figure with a licence and one without, a rate those of a person and a company', () => {
    const config = loadConfig({
      QUOTA_PLACES: '700/70',
      RATE_EXPORTS: '1/2/3/4',
      MIN_FREE_DISK: '5%',
      REGISTRATION: 'invite',
    })
    expect(config.quotas.places).toEqual({ licensed: 700, unlicensed: 70 })
    expect(config.callRates.exports).toEqual({
      person: { burst: 1, perMinute: 2 },
      company: { burst: 3, perMinute: 4 },
    })
    expect(config.minFreeDisk).toEqual({ share: 0.05, bytes: 0 })
    expect(loadConfig({ MIN_FREE_DISK: '2GB' }).minFreeDisk).toEqual({ share: 0, bytes: 2e9 })
    expect(config.registration).toBe('invite')
  })

  test('nothing is sold unless BILLING is on; a trial has 14 days, or none', () => {
    expect(loadConfig({})).toMatchObject({ billing: { isOn: false, trialDays: 14 }, supportEmail: null })
    const sold = { BILLING: 'on', TRIAL_DAYS: '0', SUPPORT_EMAIL: 'help@cold.example' }
    expect(loadConfig(sold)).toMatchObject({
      billing: { isOn: true, trialDays: 0 },
      supportEmail: 'help@cold.example',
    })
  })

  test('claims need the code of the label unless CLAIM_CODES is off; refusals are per account, company and seconds', () => {
    expect(loadConfig({}).claimCodes).toBe(true)
    expect(loadConfig({ CLAIM_CODES: 'off', RATE_LIMIT_CLAIM: '3/9/60' })).toMatchObject({
      claimCodes: false,
      claimFailures: { perAccount: 3, perCompany: 9, windowS: 60 },
    })
  })

  test('phone numbers must be ones that are given out unless PHONE_STRICT is off', () => {
    expect([loadConfig({}).phoneStrict, loadConfig({ PHONE_STRICT: 'off' }).phoneStrict]).toEqual([true, false])
  })

  test('a tile source carries its attribution', () => {
    const env = { TILES_SATELLITE: 'https://t.example/{z}/{x}/{y}.jpg', TILES_SATELLITE_ATTRIBUTION: '© T' }
    expect(loadConfig(env).tileSources).toEqual([
      { kind: 'satellite', url: 'https://t.example/{z}/{x}/{y}.jpg', attribution: '© T' },
    ])
  })
})

describe('tile services by name', () => {
  test('give each kind of map the first service that has it, with its key and credit; an address of its own wins', () => {
    const own = 'https://t.example/{z}/{x}/{y}.jpg'
    const { tileSources } = loadConfig({
      TILES: 'thunderforest:0123abcd, maptiler:k3y-k3y-k3y,aws-terrain',
      TILES_SATELLITE: own,
    })
    const urls = Object.fromEntries(tileSources.map(({ kind, url }) => [kind, url]))
    expect(urls).toEqual({
      roadmap: 'https://api.thunderforest.com/atlas/{z}/{x}/{y}.png?apikey=0123abcd',
      satellite: own,
      terrain: expect.stringContaining('/terrarium/{z}/{x}/{y}.png'),
      hybrid: expect.stringMatching(/^https:\/\/api\.maptiler\.com\/.*\?key=k3y-k3y-k3y$/),
    })
    expect(tileSources[0]?.attribution).toContain('OpenStreetMap')
    expect(JSON.stringify(tileSources)).not.toContain('KEY')
  })

  test.each([
    ['openstreetmap', 'has no service "openstreetmap"'],
    ['maptiler', 'needs a key of maptiler'],
    ['maptiler:short', 'needs a key of maptiler'],
    ['maptiler:k3y&x=https://evil', 'needs a key of maptiler'],
    ['aws-terrain:k3y', 'does not take'],
  ])('%s is refused in words', (TILES, words) => {
    expect(() => loadConfig({ TILES })).toThrow(words)
  })
})

describe('refusals name the variable', () => {
  test.each([
    ['PORT', '80a'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['PUBLIC_URL', 'cold.example'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['DATABASE_URL', 'postgres://a,,b/y'],
    ['REPLICA_URL', 'postgres://a/y'],
    ['REPLICA_URL', 'mysql://a/y'],
    ['REQUIRE_SYNC_STANDBY', 'on'],
    ['REQUIRE_SYNC_STANDBY', 'yes'],
    ['MQTT_PORT', 'yes'],
    ['MQTT_URL', 'mqtt://broker'],
    ['NATS_URL', 'http://bus'],
    ['NATS_URL', 'nats://a,tls://b'],
    ['SMTP_URL', 'mail.example:25'],
    ['MAIL_FROM', 'nobody'],
    ['SECURITY_CONTACT', 'nobody'],
    ['LOG_LEVEL', 'loud'],
    ['DEMO_PASSWORD', 'short'],
    ['RATE_LIMIT_MAIL', '0/1/1'],
    ['RATE_LIMIT_CLAIM', '5'],
    ['CLAIM_CODES', 'yes'],
    ['BILLING', 'yes'],
    ['TRIAL_DAYS', '366'],
    ['SUPPORT_EMAIL', 'nobody'],
    ['INGEST_MAX_AGE_MONTHS', '0'],
    ['INGEST_WAITING', '1'],
    ['TILES_ROADMAP', 'https://t.example/tiles'],
    ['QUOTA_PLACES', '500'],
    ['QUOTA_FILE_MB', '0/0'],
    ['QUOTA_REJECTED_MB', '0'],
    ['RATE_WRITES', '1/2/3'],
    ['MIN_FREE_DISK', '5'],
    ['STATEMENT_TIMEOUT_S', '0'],
    ['REPORTS_WAITING_PERSON', '0'],
    ['REGISTRATION', 'maybe'],
  ])('%s=%s', (name, value) => {
    expect(messageOf({ [name]: value })).toMatch(new RegExp(`^ {2}${name} must `, 'm'))
  })

  test('keys of pushes that are no pair, or no keys', () => {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    const other = createECDH('prime256v1')
    const env = {
      WEB_PUSH_PUBLIC_KEY: pair.getPublicKey('base64url'),
      WEB_PUSH_PRIVATE_KEY: privateOf(pair),
      WEB_PUSH_SUBJECT: 'mailto:ops@example.test',
    }
    expect(messageOf(env)).toBe('accepted')
    expect(messageOf({ ...env, WEB_PUSH_PUBLIC_KEY: other.generateKeys('base64url') })).toContain(
      'WEB_PUSH_PUBLIC_KEY must',
    )
    expect(messageOf({ ...env, WEB_PUSH_PRIVATE_KEY: 'A'.repeat(43) })).toContain('WEB_PUSH_PUBLIC_KEY must')
    expect(messageOf({ ...env, WEB_PUSH_SUBJECT: '' })).toContain('WEB_PUSH_SUBJECT must')
    expect(messageOf({ ...env, WEB_PUSH_SUBJECT: 'ops' })).toContain('WEB_PUSH_SUBJECT must')
  })

  test('all wrong variables at once', () => {
    expect(messageOf({ PORT: 'x', LOG_LEVEL: 'x' }).split('\n')).toHaveLength(3)
  })

  test('a password in a wrong value is not repeated', () => {
    expect(messageOf({ DATABASE_URL: 'mysql://u:hunter2@h/d', DEMO_PASSWORD: 'hunter2' })).not.toContain('hunter2')
  })
})
