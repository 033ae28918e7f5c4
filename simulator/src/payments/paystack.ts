import { type Bank, behaviourOf, RIGHT_OTP } from './bank.ts'
import { type Answer, json, type Request, redirect } from './http.ts'
import { hostedPage, pressOf, written } from './pages.ts'
import { PaystackStore, type Refund, shownRefund, shownTransaction, type Transaction } from './paystack-store.ts'

const CURRENCIES = ['NGN', 'GHS', 'KES', 'ZAR', 'USD']

const ok = (message: string, data: unknown) => json(200, { status: true, message, data })
const no = (message: string, code?: string, status = 400) =>
  json(status, { status: false, message, type: 'validation_error', ...(code ? { code } : {}), meta: { nextStep: '' } })

interface Dispute {
  id: number
  status: string
  resolution: string | null
  /** Null until it is resolved. */
  refund_amount: number | null
  currency: string
  part: number
  createdAt: Date
  of: Transaction
}

/** Paystack's protocol, as documented and as observed on its test servers. */
export function paystackPeer(bank: Bank, secretKey: string) {
  const store = new PaystackStore(bank)
  const disputes: Dispute[] = []
  let unknowns = 0

  /** Null where a transaction may come to be. */
  function fault({ amount, currency, reference, email }: Record<string, unknown>): Answer | null {
    if (typeof reference !== 'string' || !/^[\w.=-]+$/.test(reference)) return no('Invalid transaction reference')
    if (store.transactions.has(reference)) return no('Duplicate Transaction Reference', 'duplicate_reference')
    if (!Number.isInteger(Number(amount)) || Number(amount) <= 0) return no('Invalid Amount Sent')
    if (!CURRENCIES.includes(String(currency))) return no('Currency not supported by merchant', 'unsupported_currency')
    return typeof email === 'string' && email.includes('@') ? null : no('Invalid Email Address Passed')
  }

  const begin = (body: Record<string, unknown>): Transaction =>
    store.make({
      reference: String(body.reference),
      email: String(body.email),
      amount: Number(body.amount),
      currency: String(body.currency),
      callbackUrl: String(body.callback_url ?? ''),
      metadata: body.metadata ?? '',
    })

  const tellPaid = (transaction: Transaction) =>
    bank.tell('paystack', { event: 'charge.success', data: shownTransaction(transaction) })

  function initialize(body: Record<string, unknown>): Answer {
    const wrong = fault(body)
    if (wrong) return wrong
    const { accessCode, reference } = begin(body)
    const authorization_url = `${bank.url}/checkout/${accessCode}`
    return ok('Authorization URL created', { authorization_url, access_code: accessCode, reference })
  }

  function verify(reference: string): Answer {
    const transaction = store.transactions.get(reference)
    if (transaction) return ok('Verification successful', shownTransaction(transaction))
    // Both were seen.
    return unknowns++ % 2 === 0
      ? no('Transaction reference not found.')
      : no('Transaction not found', 'transaction_not_found', 404)
  }

  function charge(body: Record<string, unknown>): Answer {
    const wrong = fault(body)
    if (wrong) return wrong
    const code = String(body.authorization_code)
    const behaviour = behaviourOf(code)
    if (behaviour === 'gone') return no('Authorization code is invalid')
    if (store.isRefused(code, String(body.email)))
      return no(
        'Email does not match Authorization code. Authorization may be inactive or belong to a different email.',
      )
    if (behaviour === 'regulated') return no('Charge attempt cannot be fulfilled until 1440 minutes')
    const transaction = begin(body)
    const shown = () => ok('Charge attempted', shownTransaction(transaction))
    if (behaviour === 'nofunds' || behaviour === 'expired' || behaviour === 'never') {
      transaction.status = 'failed'
      transaction.gatewayResponse = behaviour === 'nofunds' ? 'Insufficient Funds' : 'Expired Card'
      return shown()
    }
    if (behaviour === 'paused' || behaviour === 'auth') {
      const { accessCode: access_code, reference } = transaction
      const authorization_url = `${bank.url}/checkout/${access_code}`
      const message = 'Please, redirect your customer to the authorization url provided'
      return ok(message, { authorization_url, reference, access_code, paused: true })
    }
    if (behaviour === 'pending') {
      transaction.status = 'pending'
      return shown()
    }
    store.pay(transaction, behaviour)
    tellPaid(transaction)
    if (behaviour === 'slow' || behaviour === 'drop') return { ...shown(), fault: behaviour }
    if (behaviour === 'refused') return no('The processor refused', 'processor_error')
    return behaviour === '500' ? json(500, { status: false, message: 'An error occurred' }) : shown()
  }

  function tellRefund(refund: Refund): void {
    const { reference, currency, email } = refund.transaction
    bank.tell('paystack', {
      event: `refund.${refund.status}`,
      data: {
        id: String(refund.id),
        status: refund.status,
        transaction_reference: reference,
        refund_reference: null,
        // Amounts of refunds come as text in events.
        amount: String(refund.amount),
        currency,
        customer: { email },
        domain: 'test',
      },
    })
  }

  function known(reference: string): Transaction {
    const transaction = store.transactions.get(reference)
    if (!transaction) throw new Error(`there is no payment ${reference}`)
    return transaction
  }

  function refund(body: Record<string, unknown>): Answer {
    const transaction = store.transactions.get(String(body.transaction))
    if (!transaction?.paidAt) return no('Transaction not found', 'transaction_not_found', 404)
    const given = store.refunds.filter((made) => made.transaction === transaction && made.status !== 'failed')
    const left = transaction.amount - given.reduce((sum, made) => sum + made.amount, 0)
    const amount = body.amount === undefined ? transaction.amount : Number(body.amount)
    if (!Number.isInteger(amount) || amount <= 0 || amount > left)
      return no('Refund amount cannot be more than transaction amount')
    const id = 3_018_000 + bank.next()
    const made: Refund = { id, transaction, amount, status: 'pending', note: String(body.merchant_note ?? '') }
    store.refunds.push(made)
    transaction.status = 'reversal-pending'
    tellRefund(made)
    const answer = ok('Refund has been queued for processing', shownRefund(made))
    if (bank.refundsAtOnce) finishRefund(made, 'processed')
    return answer
  }

  function finishRefund(made: Refund, status: 'processed' | 'failed' | 'needs-attention'): void {
    made.status = status
    const { reference, id, currency } = made.transaction
    if (status === 'processed') {
      made.transaction.status = 'reversed'
      const amount = BigInt(made.amount)
      bank.move({ provider: 'paystack', kind: 'refund', reference, providerRef: String(id), amount, currency })
    }
    tellRefund(made)
  }

  function listed(rows: unknown[], query: URLSearchParams): Answer {
    const perPage = Number(query.get('perPage') ?? 50)
    const page = Number(query.get('page') ?? 1)
    const data = rows.slice((page - 1) * perPage, page * perPage)
    const meta = { total: rows.length, perPage, page, pageCount: Math.ceil(rows.length / perPage) }
    return json(200, { status: true, message: 'Retrieved', data, meta })
  }

  function list(query: URLSearchParams): Answer {
    const from = new Date(query.get('from') ?? 0)
    const rows = [...store.transactions.values()].filter(
      ({ status, createdAt }) => status === (query.get('status') ?? status) && createdAt >= from,
    )
    return listed(
      rows.reverse().map((row) => shownTransaction(row)),
      query,
    )
  }

  function refundsOf(query: URLSearchParams): Answer {
    const id = query.get('transaction')
    const rows = store.refunds.filter(({ transaction }) => id === null || String(transaction.id) === id)
    return listed(
      rows.map((row) => shownRefund(row)),
      query,
    )
  }

  function oneRefund(id: string): Answer {
    const made = store.refunds.find((one) => String(one.id) === id)
    return made ? ok('Refund retrieved', shownRefund(made)) : no('Refund not found', 'not_found', 404)
  }

  const shownDispute = ({ of, createdAt, part: _, ...dispute }: Dispute) => ({
    ...dispute,
    createdAt: createdAt.toISOString(),
    domain: 'test',
    transaction: shownTransaction(of),
  })

  function oneDispute(id: string): Answer {
    const made = disputes.find((one) => String(one.id) === id)
    return made ? ok('Dispute retrieved', shownDispute(made)) : no('Dispute not found', 'dispute_not_found', 404)
  }

  function disputesOf(query: URLSearchParams): Answer {
    const from = new Date(query.get('from') ?? 0)
    const rows = disputes.filter(({ createdAt }) => createdAt >= from)
    return listed(rows.reverse().map(shownDispute), query)
  }

  function deactivate({ authorization_code: code }: Record<string, unknown>): Answer {
    if (store.deactivated.has(String(code))) return no('Authorization not found')
    store.deactivated.add(String(code))
    return ok('Authorization has been deactivated', null)
  }

  /** The payer's page: shown, or pressed on. */
  function checkout(accessCode: string, request: Request): Answer {
    const transaction = [...store.transactions.values()].find((one) => one.accessCode === accessCode)
    if (!transaction) return no('Page not found', undefined, 404)
    const { reference, callbackUrl } = transaction
    const back = `${callbackUrl}${callbackUrl.includes('?') ? '&' : '?'}trxref=${reference}&reference=${reference}`
    const show = (more: { message?: string; asksOtp?: boolean; isOver?: boolean } = {}) =>
      hostedPage({
        provider: 'Paystack',
        amount: written(transaction.amount, transaction.currency),
        email: transaction.email,
        back,
        ...more,
      })
    if (transaction.status === 'success') return show({ message: 'This is paid.', isOver: true })
    if (transaction.status === 'failed') return show({ message: 'This payment failed.', isOver: true })
    if (request.method === 'GET') return show({ asksOtp: transaction.status === 'ongoing' })
    const { button, card, otp } = pressOf(request.body)
    // Leaving says nothing to Paystack: the payer may come back.
    if (button === 'close') return show({ message: 'You closed the page.', isOver: true })
    if (button === 'decline') {
      transaction.gatewayResponse = 'Declined'
      return show({ message: 'The bank declined. Try again, or another card.' })
    }
    if (button === 'otp') {
      transaction.status = 'ongoing'
      return show({ asksOtp: true })
    }
    if (transaction.status === 'ongoing' && otp !== RIGHT_OTP) {
      transaction.status = 'failed'
      transaction.gatewayResponse = 'Incorrect OTP'
      return show({ message: 'The code was wrong: this payment failed.', isOver: true })
    }
    store.pay(transaction, card)
    tellPaid(transaction)
    return redirect(back)
  }

  return {
    answer(request: Request): Answer | null {
      const { method, path, query } = request
      const [, room = '', name = ''] = path.split('/')
      if (room === 'checkout') return checkout(name, request)
      if (!['transaction', 'refund', 'dispute', 'customer'].includes(room)) return null
      if (request.headers.authorization !== `Bearer ${secretKey}`) return no('Invalid key', 'invalid_Key', 401)
      const call = `${method} ${path}`
      const body = method === 'POST' ? (JSON.parse(request.body) as Record<string, unknown>) : {}
      if (call === 'POST /transaction/initialize') return initialize(body)
      if (call === 'POST /transaction/charge_authorization') return charge(body)
      if (call === 'GET /transaction') return list(query)
      if (call.startsWith('GET /transaction/verify/'))
        return verify(decodeURIComponent(path.slice('/transaction/verify/'.length)))
      if (call === 'POST /refund') return refund(body)
      if (call === 'GET /refund') return refundsOf(query)
      if (method === 'GET' && room === 'refund') return oneRefund(name)
      if (call === 'GET /dispute') return disputesOf(query)
      if (method === 'GET' && room === 'dispute') return oneDispute(name)
      if (call === 'POST /customer/authorization/deactivate') return deactivate(body)
      return no('No such route', undefined, 404)
    },

    /** Ends the payments that the bank is at. */
    finishPending(result: 'success' | 'failed'): void {
      for (const transaction of store.transactions.values()) {
        if (transaction.status !== 'pending') continue
        if (result === 'failed') Object.assign(transaction, { status: 'failed', gatewayResponse: 'Declined' })
        else {
          store.pay(transaction, 'ok')
          tellPaid(transaction)
        }
      }
    },

    finishRefunds(result: 'processed' | 'failed' | 'needs-attention'): void {
      for (const made of store.refunds) if (made.status === 'pending') finishRefund(made, result)
    },

    dispute(reference: string, part?: number): void {
      const of = known(reference)
      const made: Dispute = {
        ...{ id: bank.next(), status: 'awaiting-merchant-feedback', resolution: null },
        ...{ refund_amount: null, currency: of.currency, part: part ?? of.amount },
        ...{ createdAt: bank.now(), of },
      }
      disputes.push(made)
      bank.tell('paystack', { event: 'charge.dispute.create', data: shownDispute(made) })
    },

    endDispute(reference: string, result: 'won' | 'lost'): void {
      const made = disputes.findLast(({ of }) => of.reference === reference)
      if (!made) throw new Error(`there is no dispute of ${reference}`)
      const lost = { resolution: 'merchant-accepted', refund_amount: made.part }
      Object.assign(made, { status: 'resolved', ...(result === 'won' ? { resolution: 'declined' } : lost) })
      bank.tell('paystack', { event: 'charge.dispute.resolve', data: shownDispute(made) })
    },

    payLate(reference: string): void {
      const transaction = known(reference)
      store.pay(transaction, 'ok')
      tellPaid(transaction)
    },

    refundByHand(reference: string, amount: number): void {
      refund({ transaction: reference, amount, merchant_note: 'by hand' })
    },
  }
}
