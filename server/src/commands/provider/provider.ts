import { parseArgs } from 'node:util'
import { rotateSigningKey } from '../../platform/config/signing-keys.ts'
import { acceptRestore } from './accept-restore.ts'
import { approve } from './approvals.ts'
import { setBillingPaused } from './billing.ts'
import { grantUnits } from './grant-units.ts'
import { importDevices } from './import-devices.ts'
import { importTransfers } from './import-transfers.ts'
import { addInsurance, changeInsurance, retireInsurance, showInsurances } from './insurances.ts'
import { invite } from './invite.ts'
import { exportInvoices } from './invoices.ts'
import { issueLicences } from './issue-licences.ts'
import { setOverdraft } from './overdraft.ts'
import { showPayments } from './payments.ts'
import { addDefaultPlans, addPlan, archivePlan, changePlan, showPlans } from './plans.ts'
import { setPrice, showPrices } from './prices.ts'
import { printLabels } from './print-labels.ts'
import type { ProviderTools } from './provider-tools.ts'
import { refundPayment, resolvePayment } from './refunds.ts'
import { answerRequest, closeRequest, showRequests } from './requests.ts'
import { resetSecondFactor } from './reset-second-factor.ts'
import { setSeller, showSeller } from './seller.ts'
import { setBank, showBanks } from './seller-banks.ts'
import { showCompanies, showDevices, showLicences } from './show.ts'
import { showLog } from './show-log.ts'
import { verifyDomain } from './sso.ts'
import { removeItem, setItem, showStore } from './store.ts'
import { exemptFromTax, verifyTaxNumber } from './tax-standing.ts'
import { setTax, showTaxes } from './taxes.ts'
import { recordTransfer, voidTransfer } from './transfers.ts'
import { blockCountry, setUnits, showUnits } from './units.ts'
import { UsageError } from './usage-error.ts'

const usage = `The provider's desk: hardware, licence keys, plans, prices and taxes.

  provider devices import FILE.csv [--force] [--replace] [--labels FILE.pdf]
                                                           columns imei, type and, if you like, secret and probes
  provider devices labels FILE.pdf [IMEI ...]              new codes on labels: for these, or for all free hardware without one
  provider devices list
  provider devices approve [TYPE NUMBER|none]              the approval of a type by the PPECB, which loading reports print
  provider licences issue --devices N --months M [--count K] [--plan CODE]
  provider licences list
  provider companies list
  provider invite MAIL                                     a sign-up link, for REGISTRATION=invite
  provider users reset-second-factor --email MAIL          for who lost it and has no Admin to ask
  provider wallet grant --company ID --kind sms|chat --units N [--reference TEXT]
  provider plans list
  provider plans defaults                                  adds plans for 1, 5 and 10 devices, without prices
  provider plans add CODE --name TEXT --devices N --users N --emails N --phones N --retention MONTHS [--modules LIST]
  provider plans change CODE [the same]                    for what is sold from now on
  provider plans archive CODE                              is not sold any more
  provider prices list [CODE]
  provider prices set CODE --currency NGN --billing monthly|annually --amount 10750.00 [--from DAY]
  provider prices end CODE --currency NGN --billing monthly|annually [--from DAY]
  provider units list
  provider units set --kind sms|chat --currency NGN --units N --amount 4500 [--bundle] [--from DAY]
  provider units set --kind sms|chat --country NG --weight N [--from DAY]
  provider units block --kind sms|chat --country NG [--from DAY]    nothing is sent there; units set --weight 1 ends that
  provider units overdraft [--units N [--company ID]]      units a day that critical alarms may use beyond a wallet, 0 for none
  provider tax list
  provider tax set --country NG --name VAT --percent 7.5 --from DAY
  provider tax end --country NG --name VAT --from DAY
  provider seller show
  provider seller set --name TEXT --address TEXT --country NG [--tax-number TEXT] [--email MAIL]
  provider support list                                    requests, suggestions and orders of the store, open ones first
  provider support answer NUMBER --text TEXT               whoever asked is told in the app and by mail
  provider support close NUMBER
  provider features list                                   who asks for more of which module
  provider features answer NUMBER --text TEXT
  provider store list
  provider store set CODE --name TEXT --text TEXT [--currency NGN --amount 45000] [--picture FILE|none]
  provider store set CODE --locale fr|es|sw|en --name TEXT --text TEXT
  provider store remove CODE
  provider seller bank --currency NGN --holder TEXT --bank TEXT --account TEXT [--bic BIC] [--branch TEXT]
  provider seller bank-end --currency NGN                  no transfers in it any more
  provider tax verify --company ID --tax-number TEXT       looked up: another state of the EU is charged in reverse
  provider tax exempt --company ID [--reason TEXT]         sells without tax; without a reason: with tax again
  provider payments list                                   those under review, disputed or open, those given up, and refunds
  provider payments record --company ID (--invoice SERIAL | --payment REFERENCE) --amount 5912.50 [--withheld 295.63 --certificate TEXT] --reference TEXT
  provider payments import FILE.csv [--apply]              a bank statement: columns date, amount, text and, if you like, currency
  provider payments void --company ID (--invoice SERIAL | --payment REFERENCE) --reason TEXT
  provider payments refund --company ID --payment REFERENCE --amount 5912.50 --reason TEXT [--by-hand]
  provider payments resolve give|refund|close --company ID --payment REFERENCE --reason TEXT [--amount 5912.50] [--by-hand]
  provider invoices export --from DAY --to DAY             invoices and credit notes of all companies, as CSV
  provider billing pause|resume [--company ID]             charges by the schedule: after a restore they are paused
  provider insurances list
  provider insurances add --name TEXT --insurer TEXT --currency NGN --percent 0.35 --max-worth 50000000 [--min-worth 0]
    [--min-premium 5000] [--deductible 0] [--products TEXT] [--clause TEXT] [--lead HOURS] [--countries NG,GH]
  provider insurances change NUMBER [the same but --currency]    for orders that are insured from now on
  provider insurances retire NUMBER                        is not offered any more
  provider sso verify-domain --company ID --domain TEXT    a mail domain that the company has named is its own
  provider log list                                        who changed plans, prices, taxes, insurances and the seller
  provider audit rotate-key                                a new key for the checkpoints of audit trails
  provider audit accept-restore --reason TEXT              after a restore of an older database: trails are signed on from there

  --force    takes IMEIs whose check digit is wrong
  --replace  gives hardware that is known already the type, probes and secret of the file
  --plan     the keys limit people, recipients and retention as the plan does, and are for its devices where --devices is left out
  --modules  the parts of the product that a plan has, with commas between: devices, groups, alarms, reports, users, dispatch, payments; or all
  --amount   net; it is not edited: a new one ends the one before, from --from (YYYY-MM-DD, UTC) or at once
  --bundle   so many units are sold together; without it --amount is the rate for --units of them
  --withheld what the payer kept back as a tax, by a certificate: it counts as paid
  --by-hand  you give the money back yourself, or have done so: no payment provider is asked
  --weight   the units that each segment of a message to a country costs
  --labels   prints the codes that the import makes as a sheet of labels with QR codes (A4, 3 x 8, 70 x 36 mm)

Who sets hardware up must give the code of its label. A code is made by the import, for hardware that has none, and is
shown this once, in the output and on the labels. Whoever has lost it needs a new one: devices labels FILE.pdf IMEI`

const options = {
  devices: { type: 'string' },
  months: { type: 'string' },
  count: { type: 'string', default: '1' },
  force: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  labels: { type: 'string' },
  company: { type: 'string' },
  kind: { type: 'string' },
  units: { type: 'string' },
  reference: { type: 'string' },
  reason: { type: 'string' },
  plan: { type: 'string' },
  name: { type: 'string' },
  users: { type: 'string' },
  emails: { type: 'string' },
  phones: { type: 'string' },
  retention: { type: 'string' },
  modules: { type: 'string' },
  currency: { type: 'string' },
  billing: { type: 'string' },
  amount: { type: 'string' },
  from: { type: 'string' },
  bundle: { type: 'boolean', default: false },
  country: { type: 'string' },
  weight: { type: 'string' },
  percent: { type: 'string' },
  address: { type: 'string' },
  'tax-number': { type: 'string' },
  email: { type: 'string' },
  text: { type: 'string' },
  payment: { type: 'string' },
  invoice: { type: 'string' },
  withheld: { type: 'string' },
  certificate: { type: 'string' },
  to: { type: 'string' },
  holder: { type: 'string' },
  bank: { type: 'string' },
  account: { type: 'string' },
  bic: { type: 'string' },
  branch: { type: 'string' },
  apply: { type: 'boolean', default: false },
  insurer: { type: 'string' },
  'min-premium': { type: 'string' },
  'min-worth': { type: 'string' },
  'max-worth': { type: 'string' },
  deductible: { type: 'string' },
  products: { type: 'string' },
  clause: { type: 'string' },
  lead: { type: 'string' },
  countries: { type: 'string' },
  domain: { type: 'string' },
  picture: { type: 'string' },
  locale: { type: 'string' },
  'by-hand': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function run(args: string[], tools: ProviderTools): Promise<void> {
  const { values, positionals } = parse(args)
  const [what = '', verb = '', file, ...more] = positionals
  if (what === 'invite' && positionals.length <= 2) return invite(tools, verb)
  switch (`${what} ${verb}`.trim()) {
    case 'devices import':
      return importDevices(tools, file, values)
    case 'devices labels':
      return printLabels(tools, file, more)
    case 'devices approve':
      return approve(tools, file, more[0])
    case 'devices list':
      return showDevices(tools)
    case 'licences issue':
      return issueLicences(tools, values)
    case 'licences list':
      return showLicences(tools)
    case 'users reset-second-factor':
      return resetSecondFactor(tools, values.email)
    case 'companies list':
      return showCompanies(tools)
    case 'plans list':
      return showPlans(tools)
    case 'plans defaults':
      return addDefaultPlans(tools)
    case 'plans add':
      return addPlan(tools, file, values)
    case 'plans change':
      return changePlan(tools, file, values)
    case 'plans archive':
      return archivePlan(tools, file)
    case 'prices list':
      return showPrices(tools, file)
    case 'prices set':
      return setPrice(tools, file, values)
    case 'prices end':
      return setPrice(tools, file, values, true)
    case 'units list':
      return showUnits(tools)
    case 'units set':
      return setUnits(tools, values)
    case 'units block':
      return blockCountry(tools, values)
    case 'units overdraft':
      return setOverdraft(tools, values)
    case 'tax list':
      return showTaxes(tools)
    case 'tax set':
      return setTax(tools, values)
    case 'tax end':
      return setTax(tools, values, true)
    case 'seller show':
      await showSeller(tools)
      return showBanks(tools)
    case 'seller set':
      return setSeller(tools, values)
    case 'seller bank':
      return setBank(tools, values)
    case 'seller bank-end':
      return setBank(tools, values, true)
    case 'tax verify':
      return verifyTaxNumber(tools, values)
    case 'tax exempt':
      return exemptFromTax(tools, values)
    case 'payments list':
      return showPayments(tools)
    case 'support list':
      return showRequests(tools, false)
    case 'features list':
      return showRequests(tools, true)
    case 'support answer':
    case 'features answer':
      return answerRequest(tools, file, values.text)
    case 'support close':
      return closeRequest(tools, file)
    case 'store list':
      return showStore(tools)
    case 'store set':
      return setItem(tools, file, values)
    case 'store remove':
      return removeItem(tools, file)
    case 'payments record':
      return recordTransfer(tools, values)
    case 'payments import':
      return importTransfers(tools, file, values)
    case 'payments void':
      return voidTransfer(tools, values)
    case 'payments refund':
      return refundPayment(tools, values)
    case 'payments resolve':
      return resolvePayment(tools, file, values)
    case 'invoices export':
      return exportInvoices(tools, values)
    case 'billing pause':
      return setBillingPaused(tools, true, values)
    case 'billing resume':
      return setBillingPaused(tools, false, values)
    case 'insurances list':
      return showInsurances(tools)
    case 'insurances add':
      return addInsurance(tools, values)
    case 'insurances change':
      return changeInsurance(tools, file, values)
    case 'insurances retire':
      return retireInsurance(tools, file)
    case 'sso verify-domain':
      return verifyDomain(tools, values)
    case 'log list':
      return showLog(tools)
    case 'audit rotate-key':
      return rotateKey(tools)
    case 'audit accept-restore':
      return acceptRestore(tools, values.reason)
    case 'wallet grant':
      return grantUnits(tools, values)
    default:
      if (values.help) return tools.out(usage)
      throw new UsageError(`${positionals.length > 0 ? `There is no "${positionals.join(' ')}".\n\n` : ''}${usage}`)
  }
}

async function rotateKey({ dataDir, out }: ProviderTools): Promise<void> {
  if (!dataDir) throw new UsageError('No DATA_DIR, where the keys are.')
  const id = await rotateSigningKey(dataDir, new Date())
  out(`Checkpoints are signed with key ${id} from now on; the key before vouches for it.`)
}

/** Runs one command of the provider; resolves with the exit code: 0, or 2 when it was not understood or refused. */
export async function provider(
  args: string[],
  tools: Pick<ProviderTools, 'pool' | 'out'> & Partial<ProviderTools>,
): Promise<number> {
  const warn = tools.warn ?? tools.out
  try {
    await run(args, { ...tools, warn })
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    warn(error.message)
    return 2
  }
}
