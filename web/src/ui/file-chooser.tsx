import { Button, type ButtonProps } from '@mantine/core'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'

interface FileButtonProps
  extends Pick<ButtonProps, 'variant' | 'size' | 'mt' | 'disabled' | 'loading' | 'leftSection'> {
  /** Names the field itself: what is chosen. */
  label: string
  /** As of `<input accept>`; without it any file. */
  accept?: string
  onFile: (file: File) => void
  children: ReactNode
}

/** A button that lets a file be chosen; the same one may be chosen again. */
export function FileButton({ label, accept, onFile, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) onFile(file)
          event.currentTarget.value = ''
        }}
      />
      <Button {...button} onClick={() => input.current?.click()} />
    </>
  )
}

interface FileDropProps {
  label: string
  /** Its look; `data-over` is set while a file is held over it. */
  className: string | undefined
  onFile: (file: File) => void
  children: ReactNode
}

/** A place where a file can be dropped. */
export function FileDrop({ label, className, onFile, children }: FileDropProps) {
  const [isOver, setIsOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const file = event.dataTransfer.files[0]
    if (file) onFile(file)
  }
  return (
    <section
      className={className}
      data-over={isOver || undefined}
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      {children}
    </section>
  )
}
