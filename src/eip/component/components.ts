import { bean, classBean } from './bean/bean.js';
import { bpm } from './bpm/bpm.js';
import { cms } from './cms/cms.js';
import type { Component } from './component.js';
import { controlbus } from './controlbus/controlbus.js';
import { cron, quartz } from './cron/cron.js';
import { direct } from './direct/direct.js';
import { file } from './file/file.js';
import { http } from './http/http.js';
import { kamelet } from './kamelet/kamelet.js';
import { language } from './language/language.js';
import { log } from './log/log.js';
import { mock } from './mock/mock.js';
import { platformHttp } from './platform-http/platform-http.js';
import { ref } from './ref/ref.js';
import { rest } from './rest/rest.js';
import { scheduler } from './scheduler/scheduler.js';
import { seda, stub } from './seda/seda.js';
import { timer } from './timer/timer.js';

/** The components that are there. */
export const COMPONENTS: readonly Component[] = [
  ...[bean, bpm, classBean, cms],
  ...[controlbus, cron, direct, file, http, kamelet, language, log, mock],
  ...[platformHttp, quartz, ref, rest, scheduler, seda, stub, timer],
];
