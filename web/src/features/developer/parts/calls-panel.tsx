import { apiBase } from '@isotherm/contract/call.ts'
import { developer, type KeyCall, keyCallsKeptDays } from '@isotherm/contract/developer.ts'
import { Button, Group, NativeSelect, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { Age } from '../../../ui/age.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import { ToneBadge } from '../../../ui/tone-badge.tsx'
import classes from './developer.module.css'

const answers = ['done', 'refused', 'failed'] as const
type Answer = (typeof answers)[number]
const perLook = 25

/** The last calls by key, as they come in: what a developer looks at first when a program does not do what it should. */
export function CallsPanel() {
  const { t } = useTranslation('developer')
  const [keyId, setKeyId] = useState('')
  const [answer, setAnswer] = useState<Answer>()
  // The beginning of each page on the way to this one.
  const [before, setBefore] = useState<string[]>([])
  const keys = useCall(developer.settings).data?.keys ?? []
  const query = { keyId: keyId || undefined, answer, before: before.at(-1), limit: perLook }
  const found = useCall(
    developer.calls,
    { query },
    { keepPrevious: true, refetchMs: before.length > 0 ? undefined : 5_000 },
  )
  const choose = (change: () => void) => {
    setBefore([])
    change()
  }
  const { data } = found
  return (
    <Panel title={t('calls.title')} text={t('calls.lead', { count: keyCallsKeptDays })}>
      <Group gap="xs" mb="xs" role="group" aria-label={t('calls.filter')}>
        <Chip pressed={!answer} onClick={() => choose(() => setAnswer(undefined))}>
          {t('calls.all')}
        </Chip>
        {answers.map((each) => (
          <Chip key={each} pressed={answer === each} onClick={() => choose(() => setAnswer(each))}>
            {t(`calls.answers.${each}`)}
          </Chip>
        ))}
        {keys.length > 1 && (
          <NativeSelect
            aria-label={t('calls.key')}
            value={keyId}
            data={[
              { value: '', label: t('calls.allKeys') },
              ...keys.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(event) => {
              const { value } = event.currentTarget
              choose(() => setKeyId(value))
            }}
          />
        )}
      </Group>
      {!data && found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton height={120} role="status" aria-label={t('common:list.loading')} />}
      {data && (
        <Renewing isOld={found.isPlaceholderData}>
          {data.data.length === 0 ? (
            <Text size="sm" c="dimmed" py="sm">
              {t(answer || keyId ? 'calls.noneSuch' : 'calls.none')}
            </Text>
          ) : (
            <ul className={classes.rows} aria-label={t('calls.title')}>
              {data.data.map((one) => (
                <Call key={one.id} call={one} hasKeyName={!keyId && keys.length > 1} />
              ))}
            </ul>
          )}
        </Renewing>
      )}
      {data && (before.length > 0 || data.next) && (
        <Group gap="sm">
          <Button
            variant="default"
            size="xs"
            disabled={before.length === 0}
            onClick={() => setBefore(before.slice(0, -1))}
          >
            {t('calls.newer')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={!data.next}
            onClick={() => data.next && setBefore([...before, data.next])}
          >
            {t('calls.older')}
          </Button>
        </Group>
      )}
    </Panel>
  )
}

const toneOf = (status: number) => (status < 400 ? 'ok' : status < 500 ? 'warning' : 'warm')

function Call({ call, hasKeyName }: { call: KeyCall; hasKeyName: boolean }) {
  const { t } = useTranslation('developer')
  const { method, path, status, code, ms, address, keyName, at, requestId, times } = call
  return (
    <li className={classes.call}>
      <ToneBadge tone={toneOf(status)}>{status}</ToneBadge>
      <code className={classes.path}>
        <b>{method}</b> {path.replace(apiBase, '')}
      </code>
      <span className={classes.facts}>
        <Age at={at} isReal />
        {[
          t('calls.ms', { ms: formatNumber(ms) }),
          hasKeyName && keyName,
          address,
          code,
          times > 1 && t('calls.times', { count: times, times: formatNumber(times) }),
          // To be told to whoever runs the server, whose log has it.
          status >= 500 && requestId,
        ]
          .filter(Boolean)
          .map((fact) => ` · ${fact}`)
          .join('')}
      </span>
    </li>
  )
}
