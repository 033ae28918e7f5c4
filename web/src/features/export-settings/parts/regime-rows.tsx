import { maxRegimes } from '@isotherm/contract/export-settings.ts'
import { ActionIcon, Button, Group, NumberInput, Paper, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { newRequestId } from '../../../lib/request-id.ts'
import frames from '../../../ui/frames.module.css'
import type { SettingsFields } from '../settings-values.ts'

/** The regimes of the season: a card each, so that a phone has room for it. */
export function RegimeRows({ fields, readOnly }: { fields: SettingsFields; readOnly: boolean }) {
  const { t } = useTranslation('exportSettings')
  const { getInputProps, values } = fields
  return (
    <div className={frames.stack}>
      {values.regimes.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('regimes.none')}
        </Text>
      )}
      {values.regimes.map(({ key, code }, index) => (
        <Paper key={key} withBorder p="sm" role="group" aria-label={code || t('regimes.code')}>
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
            <TextInput
              label={t('regimes.code')}
              maxLength={12}
              readOnly={readOnly}
              {...getInputProps(`regimes.${index}.code`)}
            />
            <NumberInput
              label={t('regimes.setPointC')}
              min={-40}
              max={40}
              decimalScale={2}
              readOnly={readOnly}
              {...getInputProps(`regimes.${index}.setPointC`)}
            />
            <NumberInput
              label={t('regimes.loadOutMaxC')}
              min={-40}
              max={40}
              decimalScale={2}
              readOnly={readOnly}
              {...getInputProps(`regimes.${index}.loadOutMaxC`)}
            />
          </SimpleGrid>
          <Group gap="xs" align="end" wrap="nowrap">
            <TextInput
              label={t('regimes.note')}
              maxLength={200}
              flex={1}
              mt="xs"
              readOnly={readOnly}
              {...getInputProps(`regimes.${index}.note`)}
            />
            {!readOnly && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                mt="xs"
                aria-label={t('regimes.remove', { code: code || String(index + 1) })}
                onClick={() => fields.removeListItem('regimes', index)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </Group>
        </Paper>
      ))}
      {!readOnly && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            disabled={values.regimes.length >= maxRegimes}
            onClick={() =>
              fields.insertListItem('regimes', {
                ...{ key: newRequestId(), code: '', setPointC: '', loadOutMaxC: '', note: '' },
              })
            }
          >
            {t('regimes.add')}
          </Button>
        </div>
      )}
    </div>
  )
}
