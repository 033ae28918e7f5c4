import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const points = ['service', 'account', 'data', 'readings', 'availability', 'changes'] as const

/** The terms and conditions, in namespace `terms`. */
export function Terms() {
  const { t } = useTranslation('terms')
  return (
    <Stack gap="xs">
      {points.map((point) => (
        <Text key={point} size="sm">
          <b>{t(`points.${point}.title`)}</b> {t(`points.${point}.text`)}
        </Text>
      ))}
    </Stack>
  )
}
