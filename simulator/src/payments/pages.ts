import { BEHAVIOURS, type Press, RIGHT_OTP } from './bank.ts'
import { type Answer, page } from './http.ts'

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export interface Hosted {
  provider: 'Paystack' | 'Stripe'
  /** As in `10,750.00 NGN`. */
  amount: string
  email: string
  message?: string
  asksOtp?: boolean
  isOver?: boolean
  back: string
}

/** The page where the payer pays, in the place of the provider's own. */
export function hostedPage(hosted: Hosted): Answer {
  const { provider, amount, email, message, asksOtp, isOver, back } = hosted
  const options = [...BEHAVIOURS, 'mobile'].map((name) => `<option>${name}</option>`).join('')
  const form = asksOtp
    ? `<label>Code (${RIGHT_OTP} is right) <input name="otp" value="" autocomplete="off"></label>
       <button name="button" value="pay">Pay</button> <button name="button" value="close">Close</button>`
    : `<label>Later charges of this card <select name="card">${options}</select></label>
       <p><button name="button" value="pay">Pay</button> <button name="button" value="decline">Decline</button>
       <button name="button" value="otp">Ask for OTP</button> <button name="button" value="close">Close</button></p>`
  return page(
    200,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Pretend bank</title><style>body{font:16px system-ui;max-width:28rem;margin:3rem auto;padding:0 1rem}button,select,input{font:inherit;padding:.4rem .8rem}</style>
<h1>Pretend bank</h1><p>This stands for ${provider}. No money moves.</p>
<p><strong>${escaped(amount)}</strong>, ${escaped(email)}</p>${message ? `<p role="alert">${escaped(message)}</p>` : ''}
${isOver ? `<p><a href="${escaped(back)}">Back</a></p>` : `<form method="post">${form}</form>`}</html>`,
  )
}

/** The payer's act by the form's body. */
export function pressOf(body: string): Press {
  const form = new URLSearchParams(body)
  const button = form.get('button')
  const card = form.get('card')
  return {
    button: button === 'decline' || button === 'otp' || button === 'close' ? button : 'pay',
    card: card === 'mobile' ? card : (BEHAVIOURS.find((name) => name === card) ?? 'ok'),
    otp: form.get('otp') ?? '',
  }
}

/** Minor units of two decimals for people. */
export const written = (amount: number, currency: string) =>
  `${Math.floor(amount / 100).toLocaleString('en')}.${String(amount % 100).padStart(2, '0')} ${currency.toUpperCase()}`
