#!/usr/bin/env node
// The same command for those who start it by this name.
import './belay.cjs'
