"""`python -m fakekafka`: the command line."""

import sys

from fakekafka.cli import main

sys.exit(main())
