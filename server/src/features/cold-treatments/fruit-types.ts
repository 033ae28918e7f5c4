import type { FurtherProduct, QuantityUnit } from '@isotherm/contract/shipment-products.ts'
import { foldName } from '../../platform/gazetteer/fold-name.ts'

type Fruit = Pick<FurtherProduct, 'product' | 'hsCode'>

/** Whether products are fruit of several types, or are counted in several types of package. Varieties of a fruit are one type. */
export function isMixed(products: readonly (Fruit & Pick<FurtherProduct, 'quantityUnit'>)[]): boolean {
  const packages = new Set(products.flatMap(({ quantityUnit: unit }) => (unit && isPackage(unit) ? [unit] : [])))
  return packages.size > 1 || products.some((one, index) => products.slice(0, index).some((two) => !isSame(one, two)))
}

const isPackage = (unit: QuantityUnit) => unit === 'carton' || unit === 'crate' || unit === 'bag'

/**
 * Subheadings of the Harmonized System that name one fruit. Others name several (lemons and limes; peaches and nectarines; "other"), and
 * fruit of these is of one type only where its name is the same.
 */
const ofOneFruit = new Set([
  ...['080410', '080420', '080430', '080440', '080510', '080521', '080522', '080610', '080711', '080720', '080810'],
  ...['080830', '080840', '080910', '080921', '080929', '081010', '081050', '081060', '081070'],
])

/** Whether two products are one type of fruit: by their HS codes where both have one, and by their names else. */
function isSame(one: Fruit, two: Fruit): boolean {
  const [code, other] = [one, two].map(({ hsCode }) => hsCode?.slice(0, 6) || null)
  if (code && other && code !== other) return false
  return (code !== null && code === other && ofOneFruit.has(code ?? '')) || isSameName(one.product, two.product)
}

/** A word as it ends in the singular. Endings that singulars share are cut off as well: only equality counts. */
const singulars: ((word: string) => string)[] = [
  // English
  (word) =>
    word
      .replace(/ies$/, 'y')
      .replace(/(ch|sh|x|ss|us|o)es$/, '$1')
      .replace(/([^su])s$/, '$1'),
  // French
  (word) => word.replace(/[sx]$/, ''),
  // Spanish
  (word) =>
    word
      .replace(/s$/, '')
      .replace(/([^aeiou])e$/, '$1')
      .replace(/z$/, 'c'),
  // Swahili
  (word) => word.replace(/^ma(?=..)/, '').replace(/^vi/, 'ki'),
]

/** Whether names differ in no more than case, accents, other signs, and the plural of a language. */
function isSameName(one: string, two: string): boolean {
  const [words, others] = [one, two].map((name) => foldName(name).split(' '))
  return singulars.some((of) => words?.map(of).join(' ') === others?.map(of).join(' '))
}
