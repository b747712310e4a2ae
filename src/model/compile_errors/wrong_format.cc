// says: a key template has an unknown format
#include "stator/model.h"
using namespace stator::model;
static_assert(Key<"SK", "ITEM#{line:week}">::kAttribute == "SK");
