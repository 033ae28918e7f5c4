import { Proof, type ProofMethod, security } from '@isotherm/contract/security.ts'
import { Button, Group, Modal, PasswordInput, Skeleton, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { type ProofBy, settleProof } from '../../../lib/proof.ts'
import { proveBySso } from '../../../lib/prove-by-sso.ts'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'
import { AskedForm } from '../../../ui/form/asked-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

// The key would close a dialog below this one, too.
const own = { 'data-mantine-stop-propagation': 'true' }
const typed = ['password', 'code', 'recoveryCode'] as const
type Typed = (typeof typed)[number]

/** Asks the person to prove that it is them, above whatever they were doing. */
export function ProofDialog({ by }: { by: ProofBy }) {
  const { t } = useTranslation(['security', 'common'])
  const answer = useCall(security.waysToProve, undefined, { staleTimeMs: 0 })
  const methods: readonly ProofMethod[] | undefined = by === 'sso' ? ['sso'] : answer.data?.methods
  const close = () => settleProof(false)
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && close()
  return (
    <Modal
      opened
      onClose={close}
      closeOnEscape={false}
      onKeyDown={onKeyDown}
      title={t('proof.title')}
      closeButtonProps={{ 'aria-label': t('common:actions.close'), ...own }}
    >
      {!methods && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!methods && !answer.error && <Skeleton height={120} />}
      {methods && <Ways text={t(by === 'sso' ? 'proof.ssoText' : 'proof.text')} methods={methods} onClose={close} />}
    </Modal>
  )
}

interface WaysProps {
  text: string
  methods: readonly ProofMethod[]
  onClose: () => void
}

function Ways({ text, methods, onClose }: WaysProps) {
  const { t } = useTranslation('security')
  const ways = typed.filter((way) => methods.includes(way))
  const [way, setWay] = useState<Typed | undefined>(ways[0])
  return (
    <>
      <Text size="sm" mb="md">
        {text}
      </Text>
      <Group gap="sm" mb="md">
        {methods.includes('passkey') && <Elsewhere label={t('proof.passkey')} run={byPasskey} />}
        {methods.includes('sso') && <Elsewhere label={t('proof.sso')} run={bySso} />}
      </Group>
      {way && <TypedProof key={way} way={way} onClose={onClose} />}
      {ways
        .filter((each) => each !== way)
        .map((each) => (
          <Button key={each} variant="subtle" size="compact-sm" px={0} mt="sm" onClick={() => setWay(each)} {...own}>
            {t(`proof.use.${each}`)}
          </Button>
        ))}
    </>
  )
}

async function byPasskey() {
  const question = await call(security.provePasskey)
  const { answerPasskey } = await import('../../../shared/passkeys.ts')
  await call(security.prove, { body: { passkey: await answerPasskey(question) } })
}

const waitsMs = 15 * 60_000

async function bySso() {
  if (!(await proveBySso(AbortSignal.timeout(waitsMs)))) throw new Error('not proved')
}

/** A proof by something else than this dialog's field. */
function Elsewhere({ label, run }: { label: string; run: () => Promise<void> }) {
  const [isRunning, setRunning] = useState(false)
  const go = async () => {
    setRunning(true)
    try {
      await run()
      settleProof(true)
    } catch {
      // The error rules have said it; who closed the browser's own dialog knows.
      setRunning(false)
    }
  }
  return (
    <Button variant="default" loading={isRunning} onClick={() => void go()} {...own}>
      {label}
    </Button>
  )
}

function TypedProof({ way, onClose }: { way: Typed; onClose: () => void }) {
  const { t } = useTranslation('security')
  const form = useEntityForm({
    initialValues: { password: '', code: '', recoveryCode: '' },
    schema: Proof,
    toBody: (values) => ({ [way]: values[way] }),
    save: (body) => call(security.prove, { body }),
    fieldOf: { SECOND_FACTOR_WRONG: way, WRONG_PASSWORD: way },
    onSaved: () => settleProof(true),
  })
  // It comes when the dialog has opened already, and again for another way.
  const input = { label: t(`proof.${way}`), autoFocus: true, ...own, ...form.fields.getInputProps(way) }
  return (
    <AskedForm
      title={t('proof.title')}
      form={{ ...form, isUnsaved: () => false }}
      submitLabel={t('proof.submit')}
      onClose={onClose}
    >
      {way === 'password' ? (
        <PasswordInput
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('proof.showPassword') }}
          {...input}
        />
      ) : (
        <TextInput
          autoComplete={way === 'code' ? 'one-time-code' : 'off'}
          inputMode={way === 'code' ? 'numeric' : 'text'}
          maxLength={way === 'code' ? 7 : 60}
          spellCheck={false}
          {...input}
        />
      )}
    </AskedForm>
  )
}
