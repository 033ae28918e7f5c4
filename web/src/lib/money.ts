import { writeMoney } from '@isotherm/contract/money.ts'
import { currentLocale } from './i18n.ts'

/** An amount of minor units as people write money: "NGN 5,912.50". */
export const formatMoney = (amount: number, currency: string): string => writeMoney(currentLocale(), amount, currency)
