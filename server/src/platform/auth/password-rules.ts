import { invalidField } from '../errors/app-error.ts'
import { passwordList } from './password-list.ts'

/** The person who will use the password. Strangers try these words first. */
export interface PasswordOwner {
  fullname: string
  email: string
  companyName: string
}

const product = 'isotherm'
const leet: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }

const folded = (text: string) => text.normalize('NFKC').toLowerCase()
/** With the digits and signs that stand for letters read as those. */
const unleeted = (text: string) => text.replace(/[0134578@$!]/g, (sign) => leet[sign] ?? sign)
const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

/** A word with digits or signs around it: "dragon2024!" -> "dragon". */
const core = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
const coresOf = (text: string) => [core(text), unleeted(core(text)), core(unleeted(text))]

const fewestSigns = 5
const fewestOwnLetters = 6

/** Names as a whole and the words they are made of, from four letters on. */
function wordsOf({ fullname, email, companyName }: PasswordOwner): string[] {
  const [local = '', domain = ''] = folded(email).split('@')
  const names = [folded(fullname), folded(companyName), local, domain.split('.').slice(0, -1).join('.')]
  const words = names.flatMap((name) => [lettersOf(name), ...name.split(/[^\p{L}\p{N}]+/u)])
  return [product, ...words].filter((word) => word.length >= 4).sort((a, b) => b.length - a.length)
}

/** Whether a password has little besides the names of its owner, company or product. */
function isPersonal(password: string, words: string[]): boolean {
  let rest = lettersOf(password)
  const whole = rest
  for (const word of words) rest = rest.replaceAll(word, ' ')
  return rest !== whole && rest.replace(/[^\p{L}]/gu, '').length < fewestOwnLetters
}

/**
 * Refuses a password that is among the most used, is one of the most used words with digits or signs around it, repeats a few
 * signs, or is made of names: product, company, person, mail address. Case and letters written as digits make no difference.
 * Throws a 422 at `field`.
 */
export async function checkNewPassword(password: string, owner: PasswordOwner, field = 'password'): Promise<void> {
  const written = folded(password)
  const forms = [written, unleeted(written)]
  const { long, words } = await passwordList()
  const isCommon = forms.some((form) => long.has(form)) || coresOf(written).some((word) => words.has(word))
  if (isCommon || new Set(written).size < fewestSigns) throw invalidField(field, 'rule.passwordCommon')
  const names = wordsOf(owner)
  if (forms.some((form) => isPersonal(form, names))) throw invalidField(field, 'rule.passwordPersonal')
}
