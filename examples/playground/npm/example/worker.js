// A whole worker: Markdown by negotiation in front of the service that is bound as `SITE`.
import { respond } from '../worker.js';
import { negotiate } from './negotiate.js';

export default {
  fetch(request, environment) {
    return negotiate(respond, (wanted) => environment.SITE.fetch(wanted))(request);
  },
};
