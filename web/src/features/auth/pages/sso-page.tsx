import { sso } from '@isotherm/contract/sso.ts'
import { useParams, useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'
import { endProof } from '../../../lib/prove-by-sso.ts'
import { useUrlSearch } from '../../../lib/url-search.ts'
import { leaveFor } from '../../../shared/sso/trip.ts'
import { TextLink } from '../../../ui/text-link.tsx'
import { endTrip, type IssuerAnswer, type TripEnd } from '../end-trip.ts'
import { GuestLayout } from '../parts/guest-layout.tsx'
import { SsoMailForm } from '../parts/sso-mail-form.tsx'
import { SsoWaiting } from '../parts/sso-waiting.tsx'
import { useLinkToken } from '../use-link-token.ts'

const SecondStep = lazy(async () => ({ default: (await import('../parts/second-step.tsx')).SecondStep }))

/** The way to a company's issuer, and back. */
export function SsoPage(): ReactNode {
  const answer: IssuerAnswer = { ...useUrlSearch().search, ...useParams({ strict: false }) }
  const { token: hash } = useLinkToken()
  // The address loses the answer at once; the page goes on with what it began with.
  const [first] = useState({ ...answer, isProof: hash === 'proof' })
  if (first.isProof) return <BeginProof />
  return first.code || first.error ? <Back answer={first} /> : <SsoMailForm />
}

/** In a window of its own (`proveBySso`). */
function BeginProof() {
  const { t } = useTranslation('auth')
  const [isOver, setIsOver] = useState(false)
  useOnce(
    async () => {
      const isOnTheWay = leaveFor(await call(sso.startProof), { use: 'proof', to: '' })
      if (isOnTheWay) return
      setIsOver(true)
      endProof(false)
    },
    () => {
      setIsOver(true)
      endProof(false)
    },
  )
  return isOver ? (
    <GuestLayout title={t('sso.noProof')} lead={t('sso.closeWindow')}>
      {null}
    </GuestLayout>
  ) : (
    <SsoWaiting />
  )
}

/** The provider has sent the browser back. */
function Back({ answer }: { answer: IssuerAnswer }) {
  const { t } = useTranslation('auth')
  const router = useRouter()
  const [over, setOver] = useState<{ title: string; lead: string; isProof?: boolean } | null>(null)
  const [waiting, setWaiting] = useState<Extract<TripEnd, { step: unknown }> | null>(null)
  useOnce(
    async () => {
      const end = await endTrip(answer, router)
      if (end === null) return
      if ('step' in end) return setWaiting(end)
      const { isProved } = end
      setOver({ title: t(isProved ? 'sso.proved' : 'sso.notProved'), lead: t('sso.closeWindow'), isProof: true })
      endProof(isProved)
    },
    (error) => setOver({ title: t('sso.failed'), lead: isCallError(error) ? error.message : t('sso.refused') }),
  )
  if (waiting)
    return (
      <GuestLayout title={t('second.title')}>
        <Suspense fallback={null}>
          <SecondStep
            step={waiting.step}
            isBySso
            onEntered={(to) => void router.navigate({ href: to === '/' ? waiting.to : to, replace: true })}
            onLeave={() => void router.navigate({ to: '/login', replace: true })}
          />
        </Suspense>
      </GuestLayout>
    )
  if (!over) return <SsoWaiting />
  return (
    <GuestLayout title={over.title} lead={over.lead}>
      {!over.isProof && <TextLink to="/login">{t('actions.toLogin')}</TextLink>}
    </GuestLayout>
  )
}

/** Does something once, however often React mounts the page. */
function useOnce(work: () => Promise<void>, onFailure: (error: unknown) => void) {
  const isBegun = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    work().catch(onFailure)
  }, [])
}
