import { UsageError } from './usage-error.ts'

export const usage = `The provider's desk: hardware, licence keys, plans, prices and taxes.

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

const [commands = ''] = usage.split('\n\n  --')
/** The lines of each command, without their indent. */
const entries = commands.split('\n  provider ').slice(1)

/** The entries of a command, or of a group of commands; a line may be of several commands: `billing pause|resume`. */
function entriesOf(what: string, verb?: string): string[] {
  return entries.filter((entry) => {
    const [group, verbs = ''] = entry.split(/\s+/)
    return group === what && (verb === undefined || verbs.split('|').includes(verb))
  })
}

/** The lines about a command, or about a group of commands; all there is for other words. */
export function helpFor([what = '', verb = '']: string[]): string {
  const ofCommand = entriesOf(what, verb)
  const lines = ofCommand.length > 0 ? ofCommand : entriesOf(what)
  return lines.length > 0 ? lines.map((line) => `  provider ${line}`).join('\n') : usage
}

/** How many words may follow a command: none where it is not named. */
const furtherWords: Record<string, number> = {
  ...{ 'devices import': 1, 'devices labels': Number.POSITIVE_INFINITY, 'devices approve': 2 },
  ...{ 'plans add': 1, 'plans change': 1, 'plans archive': 1, 'prices list': 1, 'prices set': 1, 'prices end': 1 },
  ...{ 'support answer': 1, 'features answer': 1, 'support close': 1, 'store set': 1, 'store remove': 1 },
  ...{ 'payments import': 1, 'payments resolve': 1, 'insurances change': 1, 'insurances retire': 1 },
}

/** Throws where words follow a command that takes none: `billing pause 7`, without `--company`, would pause every company. */
export function refuseFurtherWords([what = '', verb = '', ...words]: string[]): void {
  const further = words.slice(furtherWords[`${what} ${verb}`] ?? 0)
  if (further.length > 0 && entriesOf(what, verb).length > 0)
    throw new UsageError(`Nothing is done: "${further.join(' ')}" has no meaning here.\n\n${helpFor([what, verb])}`)
}
