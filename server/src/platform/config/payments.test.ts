import { describe, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { paymentProviders } from '../payments/providers.ts'
import { ConfigError, loadConfig } from './config.ts'

const paystack = { PAYSTACK_SECRET_KEY: 'sk_test_abc' }
const stripe = { STRIPE_SECRET_KEY: 'rk_test_abc', STRIPE_WEBHOOK_SECRET: 'whsec_a, whsec_b' }
const reachable = { PUBLIC_URL: 'https://cold.example' }

const faultsOf = (env: Record<string, string>): string => {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'none'
}

test('nothing set: there are no payments', async () => {
  const { payments } = loadConfig({})
  expect(payments).toEqual({ paystack: null, stripe: null, byCurrency: {} })
  const providers = await paymentProviders(payments, systemClock)
  expect([providers.of('NGN'), providers.named('paystack'), providers.named('stripe')]).toEqual([null, null, null])
})

test('each currency has the provider that it names; a key alone sells nothing', async () => {
  const { payments } = loadConfig({ ...paystack, ...stripe, PAYMENTS_NGN: 'paystack', PAYMENTS_EUR: 'stripe' })
  expect(payments.stripe).toMatchObject({ webhookSecrets: ['whsec_a', 'whsec_b'], live: false })
  const providers = await paymentProviders(payments, systemClock)
  expect(providers.of('NGN')).toBe(providers.named('paystack'))
  expect(providers.of('EUR')).toBe(providers.named('stripe'))
  expect(providers.of('EUR')?.name).toBe('stripe')
  expect([providers.of('USD'), providers.of('XOF')]).toEqual([null, null])
})

test('a live key is real money', () => {
  const { payments } = loadConfig({ ...reachable, PAYSTACK_SECRET_KEY: 'sk_live_abc' })
  expect(payments.paystack).toMatchObject({ live: true, url: 'https://api.paystack.co' })
})

describe('refused at the start', () => {
  test.each([
    ['a public key', { PAYSTACK_SECRET_KEY: 'pk_test_abc' }, 'PAYSTACK_SECRET_KEY must be a secret key'],
    ['a public key', { ...stripe, STRIPE_SECRET_KEY: 'pk_test_abc' }, 'STRIPE_SECRET_KEY must be a secret'],
    ['half of Stripe', { STRIPE_SECRET_KEY: 'sk_test_abc' }, 'STRIPE_WEBHOOK_SECRET must be set'],
    ['half of Stripe', { STRIPE_WEBHOOK_SECRET: 'whsec_a' }, 'STRIPE_SECRET_KEY must be set'],
    ['an empty secret', { ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_a,' }, 'STRIPE_WEBHOOK_SECRET must be'],
    ['a path', { ...stripe, STRIPE_URL: 'https://stripe.example/v1' }, 'STRIPE_URL must have no path'],
    ['a provider without a key', { PAYMENTS_NGN: 'paystack' }, 'PAYMENTS_NGN must name a provider'],
    [
      'a currency that Paystack does not take',
      { ...paystack, PAYMENTS_EUR: 'paystack' },
      'PAYMENTS_EUR must be stripe',
    ],
    ['a currency that nobody takes', { ...paystack, PAYMENTS_XOF: 'paystack' }, 'PAYMENTS_XOF must be unset'],
    ['real money at home', { PAYSTACK_SECRET_KEY: 'sk_live_abc' }, 'PAYSTACK_SECRET_KEY must be a test key'],
    [
      'real money at home',
      { ...stripe, STRIPE_SECRET_KEY: 'rk_live_abc', PUBLIC_URL: 'http://[::1]:8080' },
      'STRIPE_SECRET_KEY must be a test key',
    ],
    [
      'real money in the clear',
      { ...reachable, PAYSTACK_SECRET_KEY: 'sk_live_abc', PAYSTACK_URL: 'http://api.example' },
      'PAYSTACK_URL must start with https://',
    ],
  ])('%s: %o', (_, env, words) => {
    expect(faultsOf(env)).toContain(words)
    expect(faultsOf(env)).not.toMatch(/abc|whsec_a/)
  })
})

test('what may be spent from saved cards without a proof is read by currency, the rest stays', () => {
  const { cardProofAbove } = loadConfig({ CARD_PROOF_ABOVE: 'NGN:5000,EUR:0' })
  expect(cardProofAbove).toMatchObject({ NGN: 500_000, EUR: 0, USD: 10_000 })
  for (const wrong of ['5000', 'NGN:-1', 'NGN:1.5', 'XOF:5', 'NGN:5,'])
    expect(() => loadConfig({ CARD_PROOF_ABOVE: wrong })).toThrow('CARD_PROOF_ABOVE must be amounts by currency')
})
