import { IconLinkOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LonePage } from '../../../ui/lone-page.tsx'

/** Where a link to a report's file leads that is over. Whoever follows one need not have a login. */
export function LinkOverPage() {
  const { t } = useTranslation('reports')
  const mark = <IconLinkOff size={48} stroke={1.5} aria-hidden />
  return <LonePage mark={mark} title={t('linkOver.title')} text={t('linkOver.text')} />
}
