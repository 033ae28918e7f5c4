import { auth, type LoggedIn } from '@isotherm/contract/auth.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import type { Company } from '@isotherm/contract/company.ts'
import { call } from './call.ts'
import { currentLocale, forgetLanguage, hasChosenLanguage, i18n } from './i18n.ts'
import { keyOf, queryClient, useCall } from './query.ts'
import { getSession, logIn, logOut, takeProfile } from './session.ts'

type Answer = Omit<LoggedIn, 'tokens'>
const key = keyOf(auth.profile)

// However the profile gets into the cache, the session (permissions, zone, terms) takes it over at once.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryKey[0] !== auth.profile.path)
    return
  const answer = event.query.state.data as Answer | undefined
  if (!answer || !getSession().token) return
  const known = getSession().locale
  takeProfile(answer.user, answer)
  // This browser already speaks the language that it saves itself.
  if (!event.action.manual) void followLanguage(answer.user.locale, known)
})

/** A language that was chosen on another device since counts more than one chosen here before. */
async function followLanguage(locale: Locale, known: Locale | null) {
  if (known !== null && locale !== known) forgetLanguage()
  if (!hasChosenLanguage() && locale !== currentLocale()) await i18n.changeLanguage(locale)
}

/** The company of the person logged in, with its chart settings; undefined until loaded. */
export const useCompany = (): Company | undefined => useCall(auth.profile).data?.company

/** The same, as it is known now, outside of components. */
export const knownCompany = (): Company | undefined => queryClient.getQueryData<Answer>(key)?.company

/** Asks anew who the person is and what they may do. Does not reject: the shell shows when the server is out of reach. */
export async function refreshProfile() {
  await queryClient
    .fetchQuery({
      queryKey: key,
      queryFn: ({ signal }) => call(auth.profile, undefined, { signal }),
      staleTime: 0,
      retry: 0,
    })
    .catch(() => undefined)
}

/** The profile's answer, from the cache where it is fresh. */
export const loadProfile = (): Promise<Answer> =>
  queryClient.ensureQueryData({ queryKey: key, queryFn: () => call(auth.profile) })

/** Changes what the cache says of person or company, with what a save returned. */
export function rememberProfile(change: Partial<Answer>) {
  queryClient.setQueryData<Answer>(key, (before) => before && { ...before, ...change })
}

/**
 * Begins a session, in the person's language unless another was chosen on the way in. Somebody else may have come in by another tab while this one was
 * at an issuer: their session ends, and nothing that this browser keeps of them is for who comes in now.
 */
export async function startSession({ tokens, ...answer }: LoggedIn) {
  if (getSession().token) logOut({ isByHand: false })
  logIn({ tokens, ...answer })
  queryClient.setQueryData(key, answer)
  if (!hasChosenLanguage() && answer.user.locale !== currentLocale()) await i18n.changeLanguage(answer.user.locale)
}
