import { type AuditSettings, audit } from '@isotherm/contract/audit.ts'
import { Button, Group, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { CallError } from '../../../lib/call-error.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { LeaveGuard } from '../../../ui/form/leave-guard.tsx'

/** Where new checkpoints are posted by themselves. `unsaved` says whether an address was typed and not saved: the dialog around it asks. */
export function CheckpointAddress({ unsaved }: { unsaved: RefObject<boolean> }) {
  const { t } = useTranslation('audit')
  // Checkpoints posted meanwhile show by themselves.
  const { data } = useCall(audit.settings, {}, { refetchMs: 10_000 })
  return (
    <section aria-labelledby="audit-webhook">
      <Title order={3} size="sm" id="audit-webhook">
        {t('integrity.post')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('integrity.postText')}
      </Text>
      {data && <AddressForm key={data.webhookUrl ?? ''} settings={data} unsaved={unsaved} />}
    </section>
  )
}

function AddressForm({ settings, unsaved }: { settings: AuditSettings; unsaved: RefObject<boolean> }) {
  const { t } = useTranslation('audit')
  const [url, setUrl] = useState(settings.webhookUrl ?? '')
  const [state, setState] = useState<{ busy: boolean; fault?: string | undefined }>({ busy: false })
  const isTyped = url.trim() !== (settings.webhookUrl ?? '')
  useEffect(() => {
    unsaved.current = isTyped
    return () => {
      unsaved.current = false
    }
  }, [isTyped, unsaved])
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setState({ busy: true })
    try {
      await call(audit.changeSettings, { body: { webhookUrl: url.trim() || null } }, { toastAll: true })
      toastSuccess(t('integrity.saved'))
      await refetchCalls(audit.settings)
      setState({ busy: false })
    } catch (error) {
      setState({ busy: false, fault: error instanceof CallError ? error.fields.webhookUrl?.[0] : undefined })
    }
  }
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <LeaveGuard isUnsaved={() => isTyped} />
      <Group gap="xs" align="flex-start">
        <TextInput
          type="url"
          size="sm"
          style={{ flex: '1 1 240px' }}
          aria-label={t('integrity.post')}
          placeholder="https://"
          maxLength={2000}
          value={url}
          error={state.fault}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" variant="default" loading={state.busy}>
          {t('common:actions.save')}
        </Button>
      </Group>
      <Fate settings={settings} />
    </form>
  )
}

/** How the last one fared. */
function Fate({ settings: { webhookUrl, lastSentAt, lastSentSeq, lastFailure } }: { settings: AuditSettings }) {
  const { t } = useTranslation('audit')
  if (!webhookUrl || !(lastFailure || lastSentAt)) return null
  return (
    <Text size="xs" mt={4} c={lastFailure ? 'red' : 'dimmed'} style={{ overflowWrap: 'anywhere' }}>
      {lastFailure
        ? t('integrity.failed', { reason: lastFailure })
        : t('integrity.sent', { entry: formatNumber(Number(lastSentSeq)), at: formatTime(lastSentAt ?? 0) })}
    </Text>
  )
}
