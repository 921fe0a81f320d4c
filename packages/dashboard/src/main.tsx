import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './theme.css'

const page = document.getElementById('page')
if (page !== null)
  createRoot(page).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
