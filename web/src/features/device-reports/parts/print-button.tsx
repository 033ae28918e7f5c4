import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

export function PrintButton() {
  const { t } = useTranslation('deviceReports')
  return (
    <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => globalThis.print()}>
      {t('screen.print')}
    </Button>
  )
}
