import { MailDomain, type SsoDomain, sso } from '@isotherm/contract/sso.ts'
import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { formatDate, formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { CopyField } from './copy-field.tsx'

const NewDomain = z.strictObject({ domain: MailDomain })

/** The second step: the mail domains of the company, each proved by a DNS record. */
export function DomainList({ domains }: { domains: SsoDomain[] }) {
  const { t } = useTranslation('sso')
  const form = useEntityForm({
    initialValues: { domain: '' },
    schema: NewDomain,
    fieldOf: { DOMAIN_TAKEN: 'domain' },
    toBody: (values) => values,
    save: (body) => call(sso.addDomain, { body }),
    onSaved: () => {
      form.startFrom({ domain: '' })
      void refetchCalls(sso.read)
    },
  })
  return (
    <Panel title={t('domains.title')} text={t('domains.text')}>
      <Stack gap="sm">
        {domains.map((domain) => (
          <Domain key={domain.id} domain={domain} />
        ))}
        <EntityForm form={form} submitLabel={t('domains.add')} label={t('domains.title')} wide>
          <TextInput
            label={t('domains.name')}
            placeholder="example.com"
            maxLength={253}
            autoComplete="off"
            spellCheck={false}
            {...form.fields.getInputProps('domain')}
          />
        </EntityForm>
      </Stack>
    </Panel>
  )
}

function Domain({ domain: { id, domain, record, provedAt, missingSince, checkedAt } }: { domain: SsoDomain }) {
  const { t } = useTranslation('sso')
  const [isChecking, setIsChecking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const check = async () => {
    setIsChecking(true)
    setFailure(null)
    try {
      await call(sso.checkDomain, { params: { id } }, { isQuiet: true })
      toastSuccess(t('domains.proved', { domain }))
    } catch (error) {
      setFailure(isCallError(error) ? error.message : t('common:errors.unexpected'))
    }
    setIsChecking(false)
    await refetchCalls(sso.read)
  }
  const remove = () =>
    confirm({
      title: t('domains.removeTitle', { domain }),
      text: t('domains.removeText'),
      action: t('domains.remove'),
      destructive: true,
      run: async () => {
        await call(sso.removeDomain, { params: { id } })
        await refetchCalls(sso.read)
      },
    })
  return (
    <Paper withBorder p="sm" role="group" aria-label={domain}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {domain}
          </Text>
          {!provedAt ? (
            <StateDot tone="warning" label={t('domains.open')} />
          ) : missingSince ? (
            <StateDot tone="warning" label={t('domains.missing', { at: formatDate(missingSince) })} />
          ) : (
            <StateDot tone="ok" label={t('domains.provedAt', { at: formatDate(provedAt) })} />
          )}
        </Group>
        {(!provedAt || missingSince) && (
          <>
            <Text size="sm">{t('domains.how', { domain })}</Text>
            <CopyField label={t('domains.record')} value={record} />
          </>
        )}
        {failure && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {failure} {t('domains.wait')}
          </Text>
        )}
        <Group gap="sm">
          {(!provedAt || missingSince) && (
            <Button variant="default" loading={isChecking} onClick={() => void check()}>
              {t('domains.check')}
            </Button>
          )}
          <Button variant="default" onClick={remove}>
            {t('domains.remove')}
          </Button>
          {checkedAt && (
            <Text size="xs" c="dimmed">
              {t('domains.checkedAt', { at: formatTime(checkedAt) })}
            </Text>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
