import { copyText } from './copy-text.ts'
import { i18n } from './i18n.ts'
import { toastError, toastSuccess } from './toast.ts'

/** Copies the address of a link and says `done`; where the browser does not let it, a toast has the address. Never rejects: the link is there all the same. */
export const copyLink = (url: string, done: string): Promise<void> =>
  copyText(url).then(
    () => toastSuccess(done),
    () => toastError(i18n.t('common:errors.linkNotCopied', { url })),
  )
