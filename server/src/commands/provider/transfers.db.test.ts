import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeMoney } from '../../../test/money-scene.ts'
import { textOf } from '../../../test/text-of.ts'
import { voidOwed } from '../../features/billing/void-owed.ts'

const scene = await describeMoney()
const { t, desk } = scene
const dayMs = 86_400_000
const bank = { holder: 'Seller Ltd', bank: 'First Bank', account: '0123456789', bic: 'FBNINGLA', branch: null }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-statement-'))
  const options = ['--holder', bank.holder, '--bank', bank.bank, '--account', bank.account, '--bic', bank.bic]
  await desk('seller', 'bank', '--currency', 'NGN', ...options)
})
afterAll(() => rm(folder, { recursive: true }))

/** 1,000 units that are ordered and owed. */
async function owed(given: Parameters<typeof scene.buyer>[0] = {}) {
  const buyer = await scene.buyer(given)
  const { status, body } = await buyer.buy({ payBy: 'transfer' })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const payment = body.payload
  const serial: string = payment.invoice.serialNumber
  const options = ['--company', String(buyer.companyId), '--invoice', serial]
  const record = (...more: string[]) => desk('payments', 'record', ...options, ...more)
  return { buyer, payment, serial, options, record, reference: payment.transfer.reference as string }
}
const documents = async ({ token }: { token: string }) =>
  (await t.call('POST', '/enterprise/billings', { token, body: {} })).body.payload.data
const settled = async ({ buyer, payment }: Awaited<ReturnType<typeof owed>>) => {
  await scene.sweep()
  return [(await buyer.payment(payment.id)).state, await buyer.units()]
}

describe('a purchase by transfer', () => {
  test('has its invoice at once, with the bank and a reference, and gives nothing yet', async () => {
    const { buyer, payment, serial, reference } = await owed()
    expect(payment).toMatchObject({
      ...{ state: 'action', url: null, invoice: { serialNumber: serial } },
      transfer: { ...bank, reference: expect.stringMatching(/^IS-[0-9A-Z]+-\d\d-0001-[A-Y]$/) },
    })
    expect(await documents(buyer)).toMatchObject([{ serialNumber: serial, state: 'owed' }])
    expect(await buyer.units()).toBe(0)
    expect((await buyer.check(payment.id)).body.payload.state).toBe('action')
    const [{ id }] = await documents(buyer)
    const pdf = await t.app.inject({
      url: `/app/api/v1/enterprise/billings/${id}/pdf`,
      headers: { authorization: `Bearer ${buyer.token}` },
    })
    const text = await textOf(pdf.rawPayload, 'application/pdf')
    for (const part of ['To be paid by', bank.account, bank.bic, reference]) expect(text).toContain(part)
    expect(text).not.toContain('Paid in full')
  })

  test('is the same payment where it is asked for twice, and another one than by the page', async () => {
    const { buyer, payment } = await owed()
    expect((await buyer.buy({ payBy: 'transfer' })).body.payload.id).toBe(payment.id)
    const page = await buyer.begin()
    expect([page.id === payment.id, page.transfer]).toEqual([false, null])
  })

  test('is offered where there is a bank account in the currency, and refused elsewhere', async () => {
    const [nigerian, german] = [await scene.buyer(), await scene.buyer({ country: 'DE' })]
    const ways = async ({ token }: { token: string }) =>
      (await t.call('GET', '/wallet/bundles', { token })).body.payload.payBy
    expect([await ways(nigerian), await ways(german)]).toEqual([['page', 'transfer'], ['page']])
    expect((await german.buy({ payBy: 'transfer' })).body.code).toBe('PAYMENTS_OFF')
  })

  test('waits for five transfers of one company at most, and its pages stay open to it', async () => {
    const { buyer } = await owed()
    for (let i = 0; i < 4; i++) await owed({ company: buyer })
    const more = await scene.buyer({ company: buyer })
    expect((await more.buy({ payBy: 'transfer' })).body.code).toBe('INVOICES_OWED')
    expect((await more.begin()).url).toContain('http')
  })
})

describe('payments record', () => {
  test('settles an invoice that is paid in full', async () => {
    const scene = await owed()
    expect((await scene.record('--amount', '5912.50', '--reference', 'FT1')).join()).toContain('paid in full')
    expect(await settled(scene)).toEqual(['succeeded', 1_000])
    expect(await documents(scene.buyer)).toMatchObject([{ serialNumber: scene.serial, state: 'paid' }])
    await expect(scene.record('--amount', '1', '--reference', 'FT2')).rejects.toThrow('is not waiting for a transfer')
  })

  test('says what is missing, until the rest has come', async () => {
    const scene = await owed()
    expect((await scene.record('--amount', '5000', '--reference', 'A1')).join()).toContain('912.50 NGN are missing')
    expect(await settled(scene)).toEqual(['action', 0])
    await expect(scene.record('--amount', '5000', '--reference', 'A1')).rejects.toThrow('was recorded before')
    await scene.record('--amount', '912.50', '--reference', 'A2')
    expect(await settled(scene)).toEqual(['succeeded', 1_000])
  })

  test('takes what the payer kept back as a tax for paid, by its certificate', async () => {
    const scene = await owed()
    const withheld = ['--amount', '5637.50', '--reference', 'W1', '--withheld', '275']
    await expect(scene.record(...withheld)).rejects.toThrow('--certificate')
    await scene.record(...withheld, '--certificate', 'WHT 2026/17')
    expect(await settled(scene)).toEqual(['succeeded', 1_000])
  })

  test('gives what was bought where too much came, and says how much is to be paid back', async () => {
    const scene = await owed()
    expect((await scene.record('--amount', '6000', '--reference', 'M1')).join()).toContain('87.50 NGN are too much')
    expect(await settled(scene)).toEqual(['succeeded', 1_000])
  })

  test.each([
    ['an invoice of another company', ['--invoice', 'INV-2026-0099', '--amount', '1', '--reference', 'x']],
    ['no amount', ['--amount', '0', '--reference', 'x']],
    ['an amount of three decimals', ['--amount', '1.005', '--reference', 'x']],
    ['no reference', ['--amount', '1']],
  ])('refuses %s', async (_what, more) => {
    const scene = await owed()
    await expect(scene.record(...more)).rejects.toThrow()
    expect(await t.rows('select from bank_receipts where company_id = $1', [scene.buyer.companyId])).toEqual([])
  })
})

describe('payments import', () => {
  let files = 0
  async function importing(lines: string[], ...more: string[]) {
    const file = join(folder, `${++files}.csv`)
    await writeFile(file, ['Date;Amount;Currency;Text;Balance', ...lines].join('\n'))
    return (await desk('payments', 'import', file, ...more)).join('\n')
  }

  test('proposes what lines pay by the reference in them, and records nothing', async () => {
    const scene = await owed()
    const said = await importing([
      `2026-11-20;5912.50;NGN;TRF ${scene.reference.replaceAll('-', '').toLowerCase()} ACME;1`,
      '2026-11-20;17.00;NGN;Rent;2',
      `2026-11-20;-5.00;NGN;${scene.reference} fee;3`,
      `2026-11-20;5912.50;USD;${scene.reference};4`,
    ])
    expect(said).toContain('pays 5912.50 of 5912.50 NGN')
    expect(said).toContain('names nothing that is owed')
    expect(said).toContain('has no amount that came in')
    expect(said).toContain('is not NGN')
    expect(await settled(scene)).toEqual(['action', 0])
  })

  test('records with --apply, and no line twice, however often the file is given', async () => {
    const [one, two] = [await owed(), await owed()]
    // The same line twice in one file is two transfers.
    const lines = [
      `2026-11-20;5912.50;NGN;${one.reference};1`,
      ...Array.from({ length: 2 }, () => `2026-11-20;1000.00;NGN;${two.reference};1`),
    ]
    expect(await importing(lines, '--apply')).toContain('3912.50 NGN are missing')
    expect(await importing(lines, '--apply')).toContain('was recorded before')
    await importing([...lines, `2026-11-21;3912.50;NGN;${two.reference};1`], '--apply')
    expect([await settled(one), await settled(two)]).toEqual([
      ['succeeded', 1_000],
      ['succeeded', 1_000],
    ])
    const { companyId } = two.buyer
    expect(await t.rows('select amount from bank_receipts where company_id = $1', [companyId])).toHaveLength(3)
  })

  test('does not take a line for more money that was recorded by hand before', async () => {
    const scene = await owed()
    await scene.record('--amount', '2956.25', '--reference', 'H2')
    const said = await importing([`2026-11-20;2956.25;NGN;${scene.reference};1`], '--apply')
    expect(said).toContain('is as much as was recorded by hand')
    expect(await settled(scene)).toEqual(['action', 0])
    await scene.record('--amount', '2956.25', '--reference', 'H3')
    expect(await settled(scene)).toEqual(['succeeded', 1_000])
  })

  test('names the invoices of the same amount where a line names none', async () => {
    const { reference } = await owed()
    const said = await importing(['2026-11-20;5912.50;NGN;ACME FOODS;1'], '--apply')
    expect(said).toMatch(/its amount is that of IS-/)
    expect(reference).toBeTruthy()
  })

  test('reads statements of other countries: commas in amounts and texts, the Western code page, UTF-16', async () => {
    const scene = await owed()
    const written = `Date;Amount;Currency;Text\r\n20.11.2026;5912,50;NGN;Müller, Invoice ${scene.reference}\r\n`
    const tabbed = written.replaceAll(';', '\t')
    for (const bytes of [
      Buffer.from(written, 'latin1'),
      Buffer.from(written),
      Buffer.from(`sep=;\r\n${written}`),
      Buffer.from(`\ufeff${tabbed}`, 'utf16le'),
    ]) {
      const file = join(folder, `${++files}.csv`)
      await writeFile(file, bytes)
      const said = (await desk('payments', 'import', file)).join('\n')
      expect(said).toContain('pays 5912.50 of 5912.50 NGN')
    }
  })

  test('refuses what is no statement', async () => {
    const file = join(folder, 'other.csv')
    await writeFile(file, 'imei,type\n1,fridge')
    await expect(desk('payments', 'import', file)).rejects.toThrow('date, amount, text')
    await expect(desk('payments', 'import', join(folder, 'none.csv'))).rejects.toThrow('cannot be read')
  })
})

describe('an invoice that is owed', () => {
  test('is void by a credit note of all of it, and a transfer that comes later is refused', async () => {
    const scene = await owed()
    const said = await desk('payments', 'void', ...scene.options, '--reason', 'Ordered by mistake')
    expect(said.join()).toMatch(/is void by CN-\d{4}-0001$/)
    const [note, invoice] = await documents(scene.buyer)
    expect([note.amount, invoice.state]).toEqual([-591_250, 'void'])
    expect((await scene.buyer.payment(scene.payment.id)).state).toBe('cancelled')
    await expect(scene.record('--amount', '5912.50', '--reference', 'L1')).rejects.toThrow('not waiting')
    expect(await scene.buyer.units()).toBe(0)
  })

  test('says what came in already, where it is void', async () => {
    const scene = await owed()
    await scene.record('--amount', '100', '--reference', 'P1')
    const said = await desk('payments', 'void', ...scene.options, '--reason', 'Gave up')
    expect(said.join()).toContain('pay back 100.00 NGN')
  })

  test('is void by itself after 60 days, unless a part of it is paid', async () => {
    const [none, part] = [await owed(), await owed()]
    await part.record('--amount', '100', '--reference', 'H1')
    t.clock.advance(59 * dayMs)
    await voidOwed.run(t.services, {})
    expect((await documents(none.buyer)).map(({ state }: { state: string }) => state)).toEqual(['owed'])
    t.clock.advance(2 * dayMs)
    await voidOwed.run(t.services, {})
    await voidOwed.run(t.services, {})
    expect((await documents(none.buyer)).map(({ state }: { state: string }) => state)).toEqual([null, 'void'])
    expect((await documents(part.buyer)).map(({ state }: { state: string }) => state)).toEqual(['owed'])
  })
})

test('a transfer is paid back by hand, with a credit note', async () => {
  const scene = await owed()
  await scene.record('--amount', '5912.50', '--reference', 'R1')
  await settled(scene)
  const of = ['--company', String(scene.buyer.companyId), '--payment', scene.reference, '--reason', 'Returned']
  const said = await desk('payments', 'refund', ...of, '--amount', '5912.50')
  expect(said.join()).toContain('Pay 5912.50 NGN back yourself')
  expect(await scene.buyer.units()).toBe(0)
})

describe('the seller’s bank', () => {
  test('is shown, replaced and taken away; invoices keep what they say', async () => {
    const { buyer, payment } = await owed()
    const iban = ['--holder', 'Seller GmbH', '--bank', 'Sparkasse', '--account', 'DE89 3704 0044 0532 0130 00']
    await desk('seller', 'bank', '--currency', 'EUR', ...iban)
    expect((await desk('seller', 'show')).join('\n')).toContain('Sparkasse')
    await desk('seller', 'bank-end', '--currency', 'EUR')
    expect((await desk('seller', 'show')).join('\n')).not.toContain('Sparkasse')
    expect((await buyer.payment(payment.id)).transfer).toEqual(payment.transfer)
    expect((await desk('log', 'list')).join('\n')).toContain('seller.bankEnded')
  })

  test.each([
    ['an IBAN with a mistake', ['--account', 'DE89 3704 0044 0532 0130 01']],
    ['no account', []],
    ['a BIC with a mistake', ['--account', '1', '--bic', 'FB']],
  ])('is refused with %s', async (_what, more) => {
    await expect(desk('seller', 'bank', '--currency', 'EUR', '--holder', 'S', '--bank', 'B', ...more)).rejects.toThrow()
  })
})

test('the books of all companies are one CSV', async () => {
  const one = await owed()
  await desk('payments', 'void', ...one.options, '--reason', 'For the books')
  const day = t.clock.now().toISOString().slice(0, 10)
  const said = (await desk('invoices', 'export', '--from', day, '--to', day)).join('\n').replaceAll('"', '')
  const { companyId } = one.buyer
  expect(said).toContain(`${companyId},${one.serial},invoice,`)
  expect(said).toMatch(
    new RegExp(`${companyId},CN-\\d{4}-0001,credit note,[^,]+,${one.serial},NGN,-5500,-412.5,-5912.5`),
  )
  await expect(desk('invoices', 'export', '--from', '2026-02-02', '--to', '2026-02-01')).rejects.toThrow(
    'Start date cannot be later than End date',
  )
})

describe('taxes', () => {
  const totalOf = async ({ token }: { token: string }) =>
    (await t.call('GET', '/wallet/bundles', { token })).body.payload.bundles[0].price

  test('are not charged to a company that is exempt, and its invoice says why', async () => {
    const buyer = await scene.buyer()
    const of = ['--company', String(buyer.companyId)]
    await desk('tax', 'exempt', ...of, '--reason', 'Diplomatic mission')
    expect(await totalOf(buyer)).toMatchObject({ taxes: [], total: 550_000, taxNote: 'Diplomatic mission' })
    await buyer.buy({ payBy: 'transfer', total: 550_000 })
    expect(await documents(buyer)).toMatchObject([{ taxes: [], amount: 550_000, taxNote: 'Diplomatic mission' }])
    await desk('tax', 'exempt', ...of)
    expect(await totalOf(buyer)).toMatchObject({ total: 591_250, taxNote: null })
  })

  test('of another state of the EU are charged in reverse once the operator has looked its number up', async () => {
    const seller = ['seller', 'set', '--name', 'Seller GmbH', '--address', 'Berlin']
    await desk(...seller, '--country', 'DE')
    await desk('tax', 'set', '--country', 'FR', '--name', 'TVA', '--percent', '20', '--from', '2020-01-01')
    const buyer = await scene.buyer({ country: 'FR' })
    const details = { name: 'Acme', address: 'Paris', country: 'FR' }
    const call = (taxNumber: string) =>
      t.call('PUT', '/enterprise/billing-account', { token: buyer.token, body: { ...details, taxNumber } })
    await call('FR12345678901')
    expect(await totalOf(buyer)).toMatchObject({ total: 660_000, taxNote: null })
    const verify = (number: string) =>
      desk('tax', 'verify', '--company', String(buyer.companyId), '--tax-number', number)
    await expect(verify('FR00')).rejects.toThrow('Its tax number is FR12345678901')
    await verify('FR12345678901')
    expect(await totalOf(buyer)).toMatchObject({ taxes: [], total: 550_000, taxNote: 'reverse_charge' })
    await call('FR99999999999')
    expect(await totalOf(buyer)).toMatchObject({ total: 660_000 })
    await scene.setSeller()
  })
})
