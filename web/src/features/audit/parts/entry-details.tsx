import type { AuditLine } from '@isotherm/contract/audit.ts'
import { Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatExactTime } from '../../../lib/times.ts'
import { Changes } from './changes.tsx'

/** One entry, whole. */
export function EntryDetails({ line, onClose }: { line: AuditLine; onClose: () => void }) {
  const { t } = useTranslation('audit')
  const facts: [string, string | null][] = [
    [t('screen.when'), formatExactTime(Date.parse(line.at))],
    [t('screen.who'), line.who ?? t('screen.nobody')],
    [t('screen.about'), line.about],
    [t('screen.reason'), line.reason],
    [t('screen.from'), line.address && `${line.address}${line.agent ? ` · ${line.agent}` : ''}`],
  ]
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={line.title}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="xs">
        {facts.map(
          ([name, value]) =>
            value && (
              <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
                <Text span inherit c="dimmed">
                  {named(name, '')}
                </Text>
                {value}
              </Text>
            ),
        )}
        <Changes changes={line.changes} />
        <Text size="xs" c="dimmed">
          {t('screen.entry', { entry: formatNumber(Number(line.id)) })}
        </Text>
      </Stack>
    </Modal>
  )
}
