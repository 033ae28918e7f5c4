import { Pagination } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePhone } from '../use-phone.ts'

interface Props {
  page: number
  pageCount: number
  onTurn(page: number): void
}

/** The pages of something long, each a button with its name. */
export function PageButtons({ page, pageCount, onTurn }: Props) {
  const { t } = useTranslation()
  const isPhone = usePhone()
  return (
    <Pagination
      size="sm"
      siblings={isPhone ? 0 : 1}
      value={page}
      total={pageCount}
      onChange={onTurn}
      getControlProps={(control) => ({ 'aria-label': t(`list.page.${control}`) })}
      getItemProps={(number) => ({ 'aria-label': t('list.page.number', { page: number }) })}
    />
  )
}
