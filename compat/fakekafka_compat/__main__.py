"""`python -m fakekafka_compat`."""

import sys

from fakekafka_compat.cli import main

sys.exit(main())
