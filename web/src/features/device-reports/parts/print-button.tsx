import { Button, useMantineColorScheme } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Prints the screen, in the light colours: paper is white. */
export function PrintButton() {
  const { t } = useTranslation('deviceReports')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const print = () => {
    setColorScheme('light')
    addEventListener('afterprint', () => setColorScheme(colorScheme), { once: true })
    // Twice: the charts are drawn anew in the frame after the colours have changed.
    requestAnimationFrame(() => requestAnimationFrame(() => globalThis.print()))
  }
  return (
    <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={print}>
      {t('screen.print')}
    </Button>
  )
}
