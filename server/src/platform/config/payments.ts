import { z } from 'zod'
import { isLoopback, url } from './values.ts'

export type PaymentProviderName = 'paystack' | 'stripe'

/** The currencies that can be sold in, with the providers that take them. All have two decimals, also at both providers. */
const PROVIDERS_OF = {
  NGN: ['paystack', 'stripe'],
  GHS: ['paystack', 'stripe'],
  KES: ['paystack', 'stripe'],
  ZAR: ['paystack', 'stripe'],
  USD: ['paystack', 'stripe'],
  EUR: ['stripe'],
  GBP: ['stripe'],
} as const

export type PaymentCurrency = keyof typeof PROVIDERS_OF
const CURRENCIES = Object.keys(PROVIDERS_OF) as PaymentCurrency[]

const providerOf = (currency: PaymentCurrency) =>
  z.enum(PROVIDERS_OF[currency], { error: `must be ${PROVIDERS_OF[currency].join(' or ')}` }).optional()

/** So much may be spent from saved cards on one day without a fresh proof: about 100 US dollars. In whole units. */
const PROOF_ABOVE: Record<PaymentCurrency, number> = {
  NGN: 150_000,
  GHS: 1_200,
  KES: 13_000,
  ZAR: 1_800,
  USD: 100,
  EUR: 100,
  GBP: 80,
}

/** Amounts by currency, as in NGN:50000,EUR:0. */
const amounts = z
  .string()
  .regex(new RegExp(`^(${CURRENCIES.join('|')}):\\d{1,9}(,(${CURRENCIES.join('|')}):\\d{1,9})*$`), {
    error: `must be amounts by currency, as in NGN:50000,EUR:40; there are payments in ${CURRENCIES.join(', ')}`,
  })
  .transform((text) => Object.fromEntries(text.split(',').map((part) => [part.slice(0, 3), Number(part.slice(4))])))

export const paymentVariables = {
  CARD_PROOF_ABOVE: amounts.default({}),
  PAYSTACK_SECRET_KEY: z
    .string()
    .regex(/^sk_(test|live)_\w+$/, { error: 'must be a secret key: sk_test_... or sk_live_...' })
    .optional(),
  PAYSTACK_URL: url('http', 'https').default('https://api.paystack.co'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/, { error: 'must be a secret or restricted key: sk_test_..., rk_live_...' })
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((secrets) => secrets.every((secret) => /^whsec_\S+$/.test(secret)), {
      error: 'must be the signing secrets of the endpoint, whsec_..., with commas between',
    })
    .optional(),
  STRIPE_URL: url('http', 'https')
    .refine((text) => !URL.canParse(text) || new URL(text).pathname === '/', { error: 'must have no path' })
    .default('https://api.stripe.com'),
  PAYMENTS_NGN: providerOf('NGN'),
  PAYMENTS_GHS: providerOf('GHS'),
  PAYMENTS_KES: providerOf('KES'),
  PAYMENTS_ZAR: providerOf('ZAR'),
  PAYMENTS_USD: providerOf('USD'),
  PAYMENTS_EUR: providerOf('EUR'),
  PAYMENTS_GBP: providerOf('GBP'),
}

type Variables = z.infer<z.ZodObject<typeof paymentVariables>>

const isLive = (key: string | undefined) => key !== undefined && /^.k_live_/.test(key)
const isThisMachine = (address: string) => isLoopback(new URL(address).hostname.replace(/^\[|\]$/g, ''))

/**
 * The faults that keep payments from working, or real money from being safe, a line each: a half configured provider would fail at the first
 * payment instead of at the start. `names` are those of all variables that are set.
 */
export function faultsOfPayments(data: Variables, names: string[], publicUrl: string): string[] {
  const lacks = [
    ...(data.STRIPE_SECRET_KEY && !data.STRIPE_WEBHOOK_SECRET ? ['STRIPE_WEBHOOK_SECRET'] : []),
    ...(data.STRIPE_WEBHOOK_SECRET && !data.STRIPE_SECRET_KEY ? ['STRIPE_SECRET_KEY'] : []),
  ]
  const keys = { paystack: 'PAYSTACK_SECRET_KEY', stripe: 'STRIPE_SECRET_KEY' } as const
  const urls = { paystack: 'PAYSTACK_URL', stripe: 'STRIPE_URL' } as const
  const live = (['paystack', 'stripe'] as const).filter((name) => isLive(data[keys[name]]))
  const hasNoKey = (currency: PaymentCurrency) => {
    const chosen = data[`PAYMENTS_${currency}`]
    return chosen && !data[keys[chosen]]
  }
  return [
    ...lacks.map((name) => `${name} must be set with the others of its provider`),
    ...CURRENCIES.filter(hasNoKey).map((currency) => `PAYMENTS_${currency} must name a provider whose key is set`),
    ...names
      .filter((name) => /^PAYMENTS_[A-Z]{3}$/.test(name) && !(name in paymentVariables))
      .map((name) => `${name} must be unset: there are payments in ${CURRENCIES.join(', ')}`),
    ...live
      .filter(() => isThisMachine(publicUrl))
      .map((name) => `${keys[name]} must be a test key, or PUBLIC_URL an address that payers can reach`),
    ...live
      .filter((name) => !data[urls[name]].startsWith('https:'))
      .map((name) => `${urls[name]} must start with https:// with a live key`),
  ]
}

export interface PaystackAccount {
  url: string
  secretKey: string
  live: boolean
}
export interface StripeAccount {
  url: string
  secretKey: string
  /** Each is good: while a secret is replaced there are two. */
  webhookSecrets: string[]
  live: boolean
}
export interface PaymentAccounts {
  paystack: PaystackAccount | null
  stripe: StripeAccount | null
  /** The provider of new payments; a currency that is absent is not sold. */
  byCurrency: Partial<Record<PaymentCurrency, PaymentProviderName>>
}

/** The money that a person may spend from saved cards on one day without a fresh proof, by currency, in minor units. */
export const cardProofOf = ({ CARD_PROOF_ABOVE }: Variables): Record<string, number> =>
  Object.fromEntries(
    Object.entries({ ...PROOF_ABOVE, ...CARD_PROOF_ABOVE }).map(([name, whole]) => [name, whole * 100]),
  )

export const paymentsOf = (data: Variables): PaymentAccounts => ({
  paystack: data.PAYSTACK_SECRET_KEY
    ? {
        url: data.PAYSTACK_URL.replace(/\/+$/, ''),
        secretKey: data.PAYSTACK_SECRET_KEY,
        live: isLive(data.PAYSTACK_SECRET_KEY),
      }
    : null,
  stripe: data.STRIPE_SECRET_KEY
    ? {
        url: data.STRIPE_URL,
        secretKey: data.STRIPE_SECRET_KEY,
        webhookSecrets: data.STRIPE_WEBHOOK_SECRET ?? [],
        live: isLive(data.STRIPE_SECRET_KEY),
      }
    : null,
  byCurrency: Object.fromEntries(
    CURRENCIES.flatMap((currency) => {
      const chosen = data[`PAYMENTS_${currency}`]
      return chosen ? [[currency, chosen]] : []
    }),
  ),
})
