const euro = 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'
const cfaWest = 'BF BJ CI GW ML NE SN TG'
const cfaCentral = 'CF CG CM GA GQ TD'
const others =
  'AE:AED AO:AOA AR:ARS AU:AUD BG:EUR BR:BRL BW:BWP CA:CAD CD:CDF CH:CHF CL:CLP CN:CNY CO:COP CZ:CZK DK:DKK DZ:DZD EG:EGP ET:ETB GB:GBP GH:GHS GM:GMD GN:GNF HK:HKD HU:HUF ID:IDR IL:ILS IN:INR IS:ISK JP:JPY KE:KES KR:KRW KW:KWD LR:LRD LS:LSL MA:MAD MG:MGA MU:MUR MW:MWK MX:MXN MY:MYR MZ:MZN NA:NAD NG:NGN NO:NOK NZ:NZD PE:PEN PH:PHP PK:PKR PL:PLN QA:QAR RO:RON RW:RWF SA:SAR SC:SCR SE:SEK SG:SGD SL:SLE SZ:SZL TH:THB TN:TND TR:TRY TZ:TZS UG:UGX US:USD UY:UYU VN:VND ZA:ZAR ZM:ZMW'

const currencies = new Map<string, string>([
  ...euro.split(' ').map((country) => [country, 'EUR'] as const),
  ...cfaWest.split(' ').map((country) => [country, 'XOF'] as const),
  ...cfaCentral.split(' ').map((country) => [country, 'XAF'] as const),
  ...others.split(' ').map((pair) => [pair.slice(0, 2), pair.slice(3)] as const),
])

/** The currency that a country pays in; null where it is not known here. */
export const countryCurrency = (country: string): string | null => currencies.get(country) ?? null
