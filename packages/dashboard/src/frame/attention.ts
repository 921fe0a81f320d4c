// How many requests wait, where it is seen from another tab: in the title and on the icon.
import { useEffect } from 'react'

const SIZE = 32

export function useAttention(count: number, pageName: string): void {
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${pageName} · Belay` : `${pageName} · Belay`
  }, [count, pageName])
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (link !== null) link.href = count > 0 ? drawIcon(count) : '/favicon.svg'
  }, [count])
}

function drawIcon(count: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = SIZE
  canvas.height = SIZE
  const pen = canvas.getContext('2d')
  if (pen === null) return '/favicon.svg'
  pen.fillStyle = '#7d4b00'
  pen.beginPath()
  pen.arc(SIZE / 2, SIZE / 2, SIZE / 2, 0, 2 * Math.PI)
  pen.fill()
  pen.fillStyle = '#ffffff'
  pen.font = `bold ${count > 9 ? 18 : 22}px sans-serif`
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(count > 99 ? '99' : String(count), SIZE / 2, SIZE / 2 + 2)
  return canvas.toDataURL('image/png')
}
